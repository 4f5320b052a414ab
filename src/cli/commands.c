/* src/cli/commands.c - see commands.h. */
#include "src/cli/commands.h"
#include <stdint.h>
#include <string.h>

const struct wn_command wn_commands[] = {
    {"run", "sdtnoqkr", 1, 1,
     "wilson run FILE [--set key=value]... [--device DEVICE] [--scheduler NAME]\n"
     "                [--threads N] [--seed N] [--output FILE] [--no-clobber] [--quiet]\n"
     "                [--restart CHECKPOINT|auto]",
     "Run a scenario file and write its netCDF file.\n"
     "  --set key=value   replace a value of the file, as in --set electrons=1000 or\n"
     "                    --set 'fields=[\"50 Td\", \"120 Td\"]'; may be given many "
     "times\n"
     "  --device DEVICE   auto, cpu, cuda or cuda:N; `wilson list devices` names them\n"
     "  --scheduler NAME  scheduler of the particles; `wilson list schedulers` names "
     "them\n"
     "  --threads N       number of threads; 0: all\n"
     "  --seed N          key of the random numbers\n"
     "  --output FILE     netCDF file to write\n"
     "  --no-clobber      do not replace an existing file\n"
     "  --quiet           no progress, no rows of a plasma; only warnings and errors\n"
     "  --restart WORD    continue from a checkpoint of the same scenario; auto: from "
     "that beside the\n"
     "                    output, if there is one; `wilson help checkpoint` says when "
     "they are\n"
     "                    written\n",
     "@files"},
    {"new", "", 1, 2, "wilson new swarm|runaway|ccp|plasma [FILE]",
     "Write a commented scenario that runs within seconds, to begin with: to FILE, or to "
     "swarm.cfg,\n"
     "runaway.cfg, ...  An existing file is never replaced.\n"
     "  swarm             mean energy, drift and rates of electrons in air\n"
     "  runaway           electrons in air that run away in a strong field\n"
     "  ccp               a capacitively coupled discharge in argon, one dimension\n"
     "  plasma            an oscillation of a cold plasma, one dimension\n",
     "swarm runaway ccp plasma"},
    {"check", "sdm", 1, 1,
     "wilson check FILE [--set key=value]... [--device DEVICE] [--scheduler NAME]\n"
     "                  [--ranks N] [--bandwidth GB/s] [--latency us]",
     "Read a scenario file and its cross sections; report all errors, and the memory and "
     "time\n"
     "that a run needs, without running.\n"
     "  --set key=value   replace a value of the file\n"
     "  --device DEVICE   as of `wilson run`; cuda also without a GPU\n"
     "  --scheduler NAME  as of `wilson run`\n"
     "  --ranks N         also memory and time of a run on N processes (mpirun)\n"
     "  --bandwidth GB/s  between two processes (10)\n"
     "  --latency us      time of a message (5)\n",
     "@files"},
    {"converge", "sdtokql", 1, 1,
     "wilson converge FILE [--levels 2|3] [--set key=value]... [--device DEVICE]\n"
     "                     [--scheduler NAME] [--threads N] [--seed N] [--output "
     "FILE.nc]\n"
     "                     [--no-clobber] [--quiet]",
     "Run a scenario, and again with one numerical parameter refined by two at a time: "
     "time step,\n"
     "mobility step, collision tables, population and, in a plasma, cells.  Each result "
     "is printed\n"
     "with its difference, the standard error of that, and their ratio; wilson-plot "
     "draws the\n"
     "file.\n"
     "  --levels N        2 (default), or 3: also refined by four, with the observed "
     "order\n"
     "  --output FILE.nc  netCDF file to write; default: FILE-converge.nc\n"
     "  the others        as of `wilson run`\n",
     "@files"},
    {"xs", "gokp", 1, SIZE_MAX,
     "wilson xs FILE... [--gas SPEC] [--photons] [--output FILE.nc] [--no-clobber]",
     "Show the cross sections in LXCat files; builtin:air and builtin:argon are the "
     "built-in sets.\n"
     "  --gas SPEC        only these targets, as in N2,O2; with fractions, as in "
     "N2:0.8,O2:0.2,\n"
     "                    also the friction of the mixture at 1 atm and 0 degrees "
     "Celsius\n"
     "  --photons         the files are photon data of elements (data/photons): print "
     "the "
     "attenuation\n"
     "                    of photons, the radiative friction of electrons, and "
     "positrons\n"
     "  --output FILE.nc  write the cross sections on a common grid of energies\n"
     "  --no-clobber      do not replace an existing file\n",
     "@files builtin:air builtin:argon"},
    {"table", "fuok", 1, 1,
     "wilson table FILE.nc [--format FORMAT] [--unseen leave|zero] [--output FILE]\n"
     "                     [--no-clobber]",
     "Write the result of a swarm run as a table for fluid codes, or the rates of a run "
     "of job\n"
     "runaway-rate over the field (csv only), to FILE or standard output.\n"
     "  --format FORMAT   csv (default): a row for each field, with standard errors\n"
     "                    bolsig: blocks over E/N with the names of BOLSIG+\n"
     "                    combined: one table of all runs, as BOLSIG+ writes it\n"
     "                    afivo: the blocks that afivo-streamer reads\n"
     "  --unseen WORD     rates without a collision in the run: leave (default): no row, "
     "and a\n"
     "                    comment; zero: 0, and a comment\n"
     "  --output FILE     file to write; for a scan one for each point, with the point "
     "in its name\n",
     "@files"},
    {"open", "", 1, 1, "wilson open FILE.nc",
     "Show what matters in a result file: wilson-plot draws the two or three panels for "
     "its "
     "job in a\n"
     "window, or where there is no display as a picture FILE.png, and says so.  "
     "FILE.nc.part of a run\n"
     "that goes on will do.  For more, `wilson-plot --help`.\n",
     "@files"},
    {"vtk", "vok", 1, 1,
     "wilson vtk FILE.nc [--format vti|legacy] [--output NAME] [--no-clobber]\n"
     "                   [--rho-e SPECIES] [--rho-i SPECIES] [--scale FACTOR]",
     "Write the maps of a plasma as files of VTK, one for each time.\n"
     "  --format vti      image data for ParaView (default): NAME-maps-0001.vti of the "
     "maps of\n"
     "                    plasma.fields_interval, NAME-moments-0001.vti of those of\n"
     "                    plasma.moments_interval, and a list of each with its times "
     "(.pvd)\n"
     "  --format legacy   charge densities as older codes write them, in ASCII and "
     "without the last\n"
     "                    node of each axis: NAME-rho_net-0001.vtk, rho_e, rho_i, of "
     "ten moments\n"
     "  --output NAME     beginning of the names; default: FILE without .nc\n"
     "  --no-clobber      do not replace an existing file\n"
     "  --rho-e SPECIES   species of rho_e, as in e,beam; default: those of negative "
     "charge\n"
     "  --rho-i SPECIES   species of rho_i; default: those of positive charge\n"
     "  --scale FACTOR    factor of the values of the legacy format (1), from C m-3 to "
     "other units\n",
     "@files"},
    {"list", "", 0, 1,
     "wilson list [devices|schedulers|jobs|models|scattering|keys|manual|man|options]",
     "List available names; manual is the reference of all keys as a Markdown page, man "
     "the page\n"
     "for man, options the input of shell completion.\n",
     "devices schedulers jobs models scattering keys manual man options"},
    {"help", "", 0, 1, "wilson help [KEY|COMMAND]",
     "Explain a key of scenario files, a group of keys or a command; without a word, "
     "this "
     "program.\n",
     "@keys @commands"},
};
const size_t wn_n_commands = sizeof wn_commands / sizeof wn_commands[0];

const struct wn_option wn_options[] = {
    {"--set", 's', true, "@keys"},
    {"--device", 'd', true, "auto cpu cuda"},
    {"--scheduler", 'd', true, "@schedulers"},
    {"--threads", 't', true, NULL},
    {"--seed", 't', true, NULL},
    {"--output", 'o', true, "@files"},
    {"--quiet", 'q', false, NULL},
    {"--gas", 'g', true, NULL},
    {"--photons", 'p', false, NULL},
    {"--format", 'f', true, "csv bolsig combined afivo"},
    {"--unseen", 'u', true, "leave zero"},
    {"--format", 'v', true, "vti legacy"},
    {"--rho-e", 'v', true, NULL},
    {"--rho-i", 'v', true, NULL},
    {"--scale", 'v', true, NULL},
    {"--restart", 'r', true, "auto @files"},
    {"--help", 'h', false, NULL},
    {"-h", 'h', false, NULL},
    {"--no-clobber", 'k', false, NULL},
    {"--levels", 'l', true, "2 3"},
    {"--ranks", 'm', true, NULL},
    {"--bandwidth", 'm', true, NULL},
    {"--latency", 'm', true, NULL},
};
const size_t wn_n_options = sizeof wn_options / sizeof wn_options[0];

const char wn_exit_status[] =
    "0 done, 1 the run failed, 2 wrong\n"
    "usage or input, 3 the run reached a limit and can be continued.\n";

bool wn_command_takes(const struct wn_command *c, const struct wn_option *o)
{
  return o->letter == 'h' || strchr(c->options, o->letter) != NULL;
}

void wn_commands_list(FILE *to)
{
  for (size_t i = 0; i < wn_n_commands; i++) {
    const struct wn_command *c = &wn_commands[i];
    fprintf(to, "%s: %s\n", c->name, c->words);
    for (size_t k = 0; k < wn_n_options; k++) {
      const struct wn_option *o = &wn_options[k];
      if (wn_command_takes(c, o))
        fprintf(to, "  %s %s\n", o->name,
                !o->value          ? "-"
                : o->words != NULL ? o->words
                                   : "*");
    }
  }
}
