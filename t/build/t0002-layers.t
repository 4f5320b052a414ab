#!/bin/sh
# t0002-layers.t - defends: which folder may include which (HACKING, "Layers").  The physics has no memory and no input or output, the
# parts below do not know the parts above, and each library has one door.  It also finds a file that no local.mk lists.
# shellcheck source=t/tap/tap.sh
. "${WN_SRCDIR:-.}/t/tap/tap.sh"
cd "$src" || exit 1

none() { # none NAME BAD-LINES
  [ -z "$2" ]
  report $? "$1" "$2"
}

# FILE:"header" or FILE:<header> of every include line in the given files.
includes() {
  grep -HoE '^[[:space:]]*#[[:space:]]*include[[:space:]]*["<][^">]*[">]' "$@" /dev/null |
    sed -E 's/:[[:space:]]*#[[:space:]]*include[[:space:]]*/:/'
}

# The own headers that the files include must match PATTERN.
own_only() { # own_only NAME PATTERN FILE...
  name=$1
  pattern=$2
  shift 2
  none "$name" "$(includes "$@" | grep '"' | grep -vE ":\"($pattern)\"\$")"
}

# All sources of a folder.
files_of() {
  printf '%s\n' $sources | grep "^$1/"
}

# Headers that reach themselves: leaves are taken away until none is left, or a circle is.
circles() {
  includes $(printf '%s\n' $sources | grep -E '\.(h|cuh)$') | grep '"' | sed 's/"//g' |
    awk -F: '{ from[NR] = $1; to[NR] = $2 }
      END {
        for (again = 1; again;) {
          again = 0
          split("", out)
          for (i in from) out[from[i]] = 1
          for (i in from)
            if (!(to[i] in out)) { delete from[i]; delete to[i]; again = 1 }
        }
        for (i in from) print from[i] " -> " to[i]
      }'
}

sources=$(find base physics crosssections particles device fields schedulers src bench t \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cuh' \) | sort)
cuda_header='\.cuh?[">]$|:<(cuda|cufft|cub/|thrust/|cooperative_groups|curand|nv/|device_|driver_types|vector_)'

# shellcheck disable=SC2046,SC2086 # lists of files without spaces
{
  physics='physics/(collisions/|photons/)?[a-z0-9_]+\.h'
  own_only "physics/ includes physics/ only" "$physics" physics/*.h physics/*/*.h
  none "physics/ includes no system header but for numbers, and Philox in rng.h" \
    "$(includes physics/*.h physics/*/*.h | grep '<' |
      grep -vE ':<(math|stdint|stddef|stdbool|float|limits|string)\.h>$' |
      grep -vE '^physics/rng\.h:<(Random123/philox|curand_philox4x32_x)\.h>$')"
  none "physics/ has no memory, no files and no globals" \
    "$(grep -nE '\b(malloc|calloc|realloc|free|f?printf|fopen|extern|errno)\b *[(;]|^static [^(]*\[[^(]*=|^[a-z][^(]* = ' \
      physics/*.h physics/*/*.h | grep -vE ':(enum|static const (unsigned |long |u?int[0-9]+_t |int |float |double )+[a-z0-9_]+ =)')"
  # Floors, from below: each includes those before it.
  base='base/[a-z0-9_]+\.h'
  crosssections="$physics|$base|crosssections/[a-z0-9_]+\.h"
  particles="$physics|$base|particles/[a-z0-9_]+\.h"
  device="$particles|device/[a-z0-9_]+\.(h|cuh)"
  poisson="$device|fields/poisson/[a-z0-9_]+\.(h|cuh)"
  fields="$poisson|fields/(sparse/)?[a-z0-9_]+\.(h|cuh)"
  schedulers="$fields|crosssections/xs[a-z_]*\.h|schedulers/[a-z0-9_]+\.h|schedulers/gpu/[a-z0-9_]+\.(h|cuh)"
  own_only "base/ includes base/ only" "$base" base/*
  own_only "crosssections/ includes physics/ and base/" "$crosssections" crosssections/*.[ch]
  own_only "particles/ includes physics/ and base/" "$particles" particles/*.[ch]
  own_only "device/ includes particles/, physics/ and base/" "$device" $(files_of device)
  own_only "fields/poisson/ includes device/, particles/, physics/ and base/" "$poisson" $(files_of fields/poisson)
  own_only "fields/ includes device/, particles/, physics/ and base/" "$fields" $(files_of fields)
  own_only "schedulers/ includes fields/, device/, particles/, crosssections/xs*.h, physics/ and base/" "$schedulers" \
    $(files_of schedulers)
  none "only CUDA files include .cuh or the headers of CUDA, but for Philox in physics/rng.h" \
    "$(includes $(printf '%s\n' $sources | grep '\.[ch]$') | grep -E "$cuda_header" |
      grep -vE '^physics/rng\.h:<curand_philox4x32_x\.h>$')"
  none "CUDA files lie in device/, fields/, schedulers/gpu/, bench/ and t/" \
    "$(printf '%s\n' $sources | grep '\.cuh\{0,1\}$' | grep -vE '^(device|fields|schedulers/gpu|bench|t)/')"
  none "src/ sees of device/ gpu.h alone, of schedulers/ scheduler.h, model.h, photon_transport.h and positron_transport.h" \
    "$(includes src/*/*.[ch] | grep -E '"(device|schedulers)/' |
      grep -vE '"(device/gpu|schedulers/(scheduler|model|photon_transport|positron_transport))\.h"$')"
  # The floors of src/, from below; all of them may include the folders below src/.
  below="$schedulers|crosssections/[a-z0-9_]+\.h"
  own_only "src/stats/ includes crosssections/, physics/ and base/" "$crosssections|src/stats/[a-z0-9_]+\.h" src/stats/*.[ch]
  own_only "src/io/ includes base/" "$base|src/io/[a-z0-9_]+\.h" src/io/*.[ch]
  floors=stats
  for folder in io config sim diag jobs run results library cli; do
    floors="$floors|$folder"
    own_only "src/$folder/ includes its own headers and those of the floors below" "$below|src/($floors)/[a-z0-9_]+\.h" \
      src/"$folder"/*.[ch]
  done
  none "no file includes another that includes it, however far around" "$(circles)"
  none "each archive is linked once" \
    "$(sed -n '/^core_libs/,/[^\\]$/p' Makefile.am | grep -oE '[a-z/]+\.a' | sort | uniq -d)"
  none "includes are named from the top" \
    "$(includes $sources | grep '"' | grep -vE '"(base|physics|crosssections|particles|device|fields|schedulers|src|bench|t)/')"
  none "only src/io/output_netcdf.c, output_continue.c, field_file.c, particle_file.c and result_file.c include <netcdf.h>" \
    "$(includes $(printf '%s\n' $sources | grep -v '^t/') | grep '<netcdf' | grep -vE '^src/io/(output_netcdf|output_continue|field_file|particle_file|result_file)\.c:')"
  none "only src/config/ includes <libconfig.h>" \
    "$(includes $(printf '%s\n' $sources | grep -v '^t/') | grep '<libconfig' |
      grep -vE '^src/config/[a-z_]+\.[ch]:')"
  none "only fields/poisson/fft.c includes <fftw3.h>" \
    "$(includes $(printf '%s\n' $sources | grep -v '^t/') | grep '<fftw' | grep -v '^fields/poisson/fft\.c:')"
  none "only base/ranks_mpi.c includes <mpi.h>" \
    "$(includes $(printf '%s\n' $sources | grep -v '^t/') | grep '<mpi' | grep -v '^base/ranks_mpi\.c:')"
  none "only fields/poisson/cufft.cuh includes <cufft.h>" \
    "$(includes $(printf '%s\n' $sources | grep -v '^t/') | grep '<cufft' | grep -v '^fields/poisson/cufft\.cuh:')"
  # rng.h takes Philox from Random123, or from cuRAND under nvcc; sums of tally.h and sample.h are atomic on the device;
  # warp.h is the lanes of a warp there, and one lane elsewhere.
  # base/ may not know physics/host_device.h.
  none "only physics/host_device.h tests for the CUDA compiler or for C++, and wilson.h for C++" \
    "$({
      grep -nE '__CUDACC__|__CUDA_ARCH__|__cplusplus' physics/*.h physics/*/*.h crosssections/*.h particles/*.h device/*.h fields/*.h fields/poisson/*.h src/*/*.h schedulers/*.h |
        grep -vE '^physics/(host_device|rng)\.h:|^src/library/wilson\.h:[0-9]*:#ifdef __cplusplus|^physics/(tally|sample|warp)\.h:[0-9]*:#if(n?def| !?defined) __CUDA_ARCH__'
      grep -nE '__CUDACC__|__CUDA_ARCH__' base/*.h
    })"
  none "only src/cli/main.c calls exit" \
    "$(grep -nE '\b(exit|_exit|quick_exit)\(' $(printf '%s\n' $sources | grep -vE '^(t|bench)/') |
      grep -v '^src/cli/main\.c:')"
}

# The list of the build: %D%/name, in the local.mk of the file's folder or of one above it.
unlisted=
for f in $sources t/*/*.t $(find data doc -type f ! -name local.mk | sort); do
  dir=${f%/*}
  while [ ! -f "$dir/local.mk" ] && [ "$dir" != "${dir%/*}" ]; do dir=${dir%/*}; done
  name=${f#"$dir"/}
  case $name in
  version_id.h | data/*) continue ;;
  */t[0-9]*-*.c) name=${name%.c}.t ;;
  */t[0-9]*-*.t) [ -f "${f%.t}.c" ] && continue ;; # built from C, in an in-place build
  esac
  grep -qE "%D%/$name( |\$)" "$dir/local.mk" || unlisted="$unlisted $f"
done
none "every source, scenario and page is listed in the local.mk of its folder" "$unlisted"
finish
