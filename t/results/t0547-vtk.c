/* t0547-vtk.c - defends: `wilson vtk` writes each map of a result file, at each time, as image data of VTK with
 * the same numbers to the last bit, vectors and tensors in the order of ParaView, with the grid's places and the
 * time, and a list of them; in the legacy format the charge densities of chosen species, without the last
 * node of each axis; files are replaced whole or not at all, inputs never; what is wrong is named.
 *
 * Reference: a reader of both formats written here, for what the format asks of a file; where Python has the
 * package vtk, its own readers, too. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "t/tap/command.h"
#include "t/tap/tap.h"

#define FILE_NAME "t0547.cfg"
#define OUT       "t0547.nc"

static const char scenario[] =
    "model = \"plasma\"; duration = \"1 ns\"; threads = 1; seed = 3;\n"
    "grid = { cells = [5, 4, 3]; length = [\"10 mm\", \"4 mm\", \"1.5 mm\"]; };\n"
    "species = { e = { density = \"1e12 m-3\"; per_cell = 8; temperature = \"1 eV\"; "
    "loading = \"random\"; };\n"
    "beam = { density = \"1e11 m-3\"; per_cell = 8; temperature = \"0.1 eV\"; drift = "
    "[\"300 km/s\", \"0\", \"0\"]; loading = \"random\"; };\n"
    "i = { density = \"1.1e12 m-3\"; per_cell = 8; charge = 1.0; mass = \"1 u\"; }; };\n"
    "plasma = { time_step = \"100 ps\"; moments_interval = \"400 ps\"; fields_interval = "
    "\"500 ps\"; fields_moments = true; };\n";

#define NX 6
#define NY 5
#define NZ 4
#define N  ((size_t)NX * NY * NZ)

/* ---- a reader */

static char *contents(const char *path, size_t *n)
{
  FILE *f = fopen(path, "rb");
  char *text = NULL;
  *n = 0;
  if (f == NULL)
    return NULL;
  fseek(f, 0, SEEK_END);
  const long end = ftell(f);
  rewind(f);
  text = calloc((size_t)end + 1, 1);
  if (text != NULL)
    *n = fread(text, 1, (size_t)end, f);
  fclose(f);
  return text;
}

/* Values of an array of image data, [N][components]; NULL: it is not there as the format wants it. */
static double *image_array(const char *file, size_t n, const char *name,
                           size_t components)
{
  char line[128];
  unsigned long long offset = 0;
  uint64_t bytes = 0;
  const char *data = strstr(file, "<AppendedData encoding=\"raw\">");
  snprintf(line, sizeof line,
           "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"%zu\" "
           "format=\"appended\" offset=\"",
           name, components);
  const char *at = strstr(file, line);
  if (data == NULL || at == NULL || at > data ||
      sscanf(at + strlen(line), "%llu", &offset) != 1)
    return NULL;
  data = strchr(data, '_') + 1;
  const size_t begin = (size_t)(data - file) + offset;
  if (begin + sizeof bytes > n)
    return NULL;
  memcpy(&bytes, file + begin, sizeof bytes);
  if (bytes != N * components * sizeof(double) || begin + sizeof bytes + bytes > n)
    return NULL;
  double *v = malloc(bytes);
  if (v != NULL)
    memcpy(v, file + begin + sizeof bytes, bytes);
  return v;
}

/* A map of record r as component k of an array. */
static void same_map(const char *file, size_t n, const char *array, size_t components,
                     size_t k, const char *variable, size_t r, size_t records)
{
  size_t all = 0, differ = 0;
  double *got = image_array(file, n, array, components),
         *want = command_nc_read(OUT, variable, &all);
  ok(got != NULL && want != NULL && all == records * N, "%s of record %zu is there",
     variable, r);
  for (size_t i = 0; got != NULL && want != NULL && i < N; i++) {
    const double a = got[i * components + k], b = want[r * N + i];
    differ += memcmp(&a, &b, sizeof a) != 0 && !(isnan(a) && isnan(b));
  }
  is_int((long long)differ, 0, "and has its bits in %s", array);
  free(got);
  free(want);
}

static void has(const char *file, const char *text)
{
  ok(file != NULL && strstr(file, text) != NULL, "has %s", text);
}

static void image(void)
{
  static const char *const axis[] = {"x", "y", "z"}, *const tensor[] = {"xx", "yy", "zz",
                                                                        "xy", "yz", "xz"};
  size_t n;
  char name[64];
  if (!is_int(command("%s vtk " OUT, command_wilson()), 0, "image data"))
    diag("%.800s", command_err);
  for (size_t r = 0; r < 2; r++) {
    snprintf(name, sizeof name, "t0547-moments-%04zu.vti", r + 1);
    char *file = contents(name, &n);
    if (!ok(file != NULL, "%s", name))
      continue;
    has(file, "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" "
              "header_type=\"UInt64\">");
    has(file, "WholeExtent=\"0 5 0 4 0 3\" Origin=\"0 0 0\" Spacing=\"0.002");
    has(file, "Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">");
    double time = 0.0;
    const char *at = strstr(file, "format=\"ascii\">");
    ok(at != NULL && sscanf(at + 15, "%lf", &time) == 1, "and a time");
    is_near(time, 0.4e-9 * (double)(r + 1), 1e-20, "which is that of the record");
    same_map(file, n, "rho_net", 1, 0, "rho_net", r, 2);
    same_map(file, n, "rho_beam", 1, 0, "rho_beam", r, 2);
    for (size_t k = 0; k < 3; k++) {
      snprintf(name, sizeof name, "J_beam_%s", axis[k]);
      same_map(file, n, "J_beam", 3, k, name, r, 2);
    }
    for (size_t k = 0; k < 6; k++) {
      snprintf(name, sizeof name, "P_i_%s", tensor[k]);
      same_map(file, n, "P_i", 6, k, name, r, 2);
    }
    static const char end[] = "\n  </AppendedData>\n</VTKFile>\n";
    ok(n > sizeof end && strcmp(file + n - (sizeof end - 1), end) == 0, "and its end");
    free(file);
  }
  char *file = contents("t0547-maps-0002.vti", &n);
  if (ok(file != NULL, "maps of the field")) {
    same_map(file, n, "potential", 1, 0, "potential", 1, 2);
    same_map(file, n, "electric_field", 3, 1, "electric_field_y", 1, 2);
    same_map(file, n, "flux_e", 3, 2, "flux_e_z", 1, 2);
    same_map(file, n, "mean_energy_beam", 1, 0, "mean_energy_beam", 1, 2);
  }
  free(file);
  file = contents("t0547-moments.pvd", &n);
  has(file, "<VTKFile type=\"Collection\"");
  has(file, "file=\"t0547-moments-0001.vti\"");
  has(file, "file=\"t0547-moments-0002.vti\"");
  free(file);
}

/* ---- legacy */

static void legacy(const char *rho, size_t r, const char *options, double scale,
                   const char *const *species)
{
  char name[64], head[256], got[256] = "";
  double *want = calloc(N, sizeof *want), most = 0.0, off = 0.0;
  size_t n = 0, values = 0;
  is_int(command("%s vtk " OUT " --format legacy %s", command_wilson(), options), 0,
         "legacy %s", options);
  snprintf(name, sizeof name, "t0547-%s-%04zu.vtk", rho, r + 1);
  FILE *f = fopen(name, "r");
  if (!ok(f != NULL && want != NULL, "%s", name)) {
    free(want);
    return;
  }
  for (; *species != NULL; species++) {
    char variable[64];
    snprintf(variable, sizeof variable, "rho_%s", *species);
    double *one = command_nc_read(OUT, variable, &n);
    for (size_t i = 0; one != NULL && i < N; i++)
      want[i] += one[r * N + i] * scale;
    free(one);
  }
  snprintf(head, sizeof head, "SCALARS %s float\n", rho);
  int is_dim = 0, is_name = 0;
  while (fgets(got, sizeof got, f) != NULL && strncmp(got, "LOOKUP_TABLE", 12) != 0) {
    is_dim |= strcmp(got, "DIMENSIONS 5 4 3\n") == 0;
    is_name |= strcmp(got, head) == 0;
  }
  ok(is_dim && is_name, "5 x 4 x 3 nodes of the scalar %s", rho);
  for (size_t z = 0; z + 1 < NZ; z++)
    for (size_t y = 0; y + 1 < NY; y++)
      for (size_t x = 0; x + 1 < NX; x++) {
        double v = NAN;
        values += fscanf(f, "%lf", &v) == 1;
        const double w = want[(z * NY + y) * NX + x];
        most = fmax(most, fabs(w));
        off = fmax(off, isnan(v) ? INFINITY : fabs(v - w));
      }
  ok(values == 60 && most > 0.0 && off <= 1e-8 * most && fscanf(f, "%255s", got) != 1,
     "%s%s: 60 numbers, off by %.1e of %.3g", rho, options, off, most);
  fclose(f);
  free(want);
}

/* ---- wrongs */

static void wrong(const char *options, int status, const char *said)
{
  is_int(command("%s vtk %s", command_wilson(), options), status, "%s", options);
  ok(strstr(command_err, said) != NULL, "says %s", said);
  if (strstr(command_err, said) == NULL)
    diag("%.500s", command_err);
}

static int exists(const char *path)
{
  struct stat st;
  return lstat(path, &st) == 0;
}

static void wrongs(void)
{
  wrong(OUT " --format vtu", 2, "allowed: vti, legacy");
  wrong(OUT " --scale 2", 2, "--format legacy");
  wrong(OUT " --format legacy --scale none", 2, "--scale none");
  wrong(OUT " --format legacy --rho-e e,rays", 2, "no species `rays`");
  wrong("nowhere.nc", 2, "nowhere.nc");
  wrong(FILE_NAME, 2, FILE_NAME);
  wrong(OUT " --output ''", 2, "empty");
  wrong(OUT " --output nowhere/t", 1, "nowhere/t-maps-0001.vti.part");
  wrong(OUT " --no-clobber", 2, "t0547-maps-0001.vti: exists");
  /* a folder, a device, a dangling link, a full disk, a name that is too long */
  command("mkdir -p t0547-d-maps-0001.vti; ln -sf /dev/null t0547-n-maps-0001.vti; "
          "ln -sf nowhere/x t0547-l-maps-0001.vti");
  wrong(OUT " --output t0547-d", 1, "a folder");
  wrong(OUT " --output t0547-n", 1, "t0547-n-maps-0001.vti");
  wrong(OUT " --output t0547-l", 1, "nowhere/x");
  command("rm -rf t0547-d-* t0547-n-* t0547-l-*");
  is_int(
      command("%s vtk " OUT " --output $(printf 'x%%.0s' $(seq 300))", command_wilson()),
      1, "a name that is too long");
  /* a name with blanks and characters of XML is one of a file */
  is_int(command("%s vtk " OUT " --output '-t0547 <&\"'", command_wilson()), 0,
         "a name with blanks");
  ok(exists("-t0547 <&\"-maps-0001.vti"), "is that of the files");
  size_t n;
  char *list = contents("-t0547 <&\"-moments.pvd", &n);
  has(list, "file=\"-t0547 &#60;&#38;&#34;-moments-0001.vti\"");
  free(list);
  command("rm -f -- -t0547*");
  /* the input is never an output, whatever its name */
  command("cp " OUT " t0547-in-maps-0001.vti");
  wrong("t0547-in-maps-0001.vti --output t0547-in", 2, "t0547-in-maps-0001.vti");
  is_int(command("cmp " OUT " t0547-in-maps-0001.vti"), 0, "and is as before");
  command("rm -f t0547-in*");
  /* nothing is left of a file that could not be written: at most 8 blocks of 512 or 1024 bytes */
  is_int(command("(trap '' XFSZ; ulimit -f 8; %s vtk " OUT " --output t0547-f)",
                 command_wilson()),
         1, "a file that is too large for the disk");
  ok(strstr(command_err, "t0547-f-maps-0001.vti.part: cannot be written completely") !=
         NULL,
     "is named");
  ok(!exists("t0547-f-maps-0001.vti") && !exists("t0547-f-maps-0001.vti.part"),
     "and not there");
}

/* A run without maps, without ten moments, without a grid. */
static void nothing_there(void)
{
  is_int(command_run(FILE_NAME, scenario, "", "t0547-none.nc",
                     "--quiet --set 'plasma.moments_interval=\"never\"' --set "
                     "'plasma.fields_interval=\"never\"'"),
         0, "a run without maps");
  wrong("t0547-none.nc", 2, "no grid");
  is_int(command_run(FILE_NAME, scenario, "", "t0547-none.nc",
                     "--quiet --set 'plasma.moments_interval=\"never\"'"),
         0, "a run without moments");
  wrong("t0547-none.nc --format legacy", 2, "plasma.moments_interval");
  remove("t0547-none.nc");
}

/* The readers of VTK itself. */
static void by_vtk(void)
{
  static const char program[] =
      "import vtk\n"
      "r = vtk.vtkXMLImageDataReader()\n"
      "r.SetFileName('t0547-moments-0002.vti')\n"
      "r.Update()\n"
      "d = r.GetOutput()\n"
      "p = d.GetPointData()\n"
      "print(d.GetDimensions(), p.GetArray('J_beam').GetNumberOfComponents(), "
      "p.GetArray('P_i').GetNumberOfComponents())\n"
      "print('%.17g %.17g' % (p.GetArray('rho_net').GetValue(59), "
      "p.GetArray('P_i').GetComponent(77, 5)))\n"
      "r = vtk.vtkStructuredPointsReader()\n"
      "r.SetFileName('t0547-rho_i-0002.vtk')\n"
      "r.Update()\n"
      "d = r.GetOutput()\n"
      "print(d.GetDimensions(), d.GetPointData().GetArray(0).GetName())\n";
  const char *python = getenv("WN_PYTHON") != NULL ? getenv("WN_PYTHON") : "python3";
  char want[256];
  if (command("%s -c 'import vtk'", python) != 0) {
    skip(1, "python3 has no package vtk");
    return;
  }
  command("%s vtk " OUT " && %s vtk " OUT " --format legacy", command_wilson(),
          command_wilson());
  command_write("t0547.py", program);
  command("%s t0547.py", python);
  snprintf(want, sizeof want, "(6, 5, 4) 3 6\n%.17g %.17g\n(5, 4, 3) rho_i\n",
           command_nc_at(OUT, "rho_net", N + 59), command_nc_at(OUT, "P_i_xz", N + 77));
  is_str(command_out, want, "the readers of VTK find the same");
  remove("t0547.py");
}

int main(void)
{
  static const char *const negative[] = {"e", "beam", NULL}, *const ions[] = {"i", NULL},
                           *const all[] = {"e", "beam", "i", NULL},
                           *const beam[] = {"beam", NULL};
  plan(0);
  if (!is_int(command_run(FILE_NAME, scenario, "", OUT, "--quiet"), 0, "a run"))
    return done();
  command_write(FILE_NAME, scenario);
  image();
  legacy("rho_e", 1, "", 1.0, negative);
  legacy("rho_i", 0, "", 1.0, ions);
  legacy("rho_net", 1, "", 1.0, all);
  legacy("rho_e", 0, "--rho-e beam --scale 1e9", 1e9, beam);
  legacy("rho_i", 1, "--rho-i i,e --scale -2", -2.0,
         (const char *const[]){"i", "e", NULL});
  by_vtk();
  wrongs();
  nothing_there();
  command("rm -f t0547*");
  return done();
}
