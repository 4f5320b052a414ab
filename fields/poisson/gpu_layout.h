/* fields/poisson/gpu_layout.h - the lines that a solver on a GPU transforms for a given grid, and the
 * memory that they need: for allocation (gpu_transforms.cu) and forecast.  Where all axes are periodic,
 * and in free space on a doubled grid, they are transformed together; otherwise lines along x, y, z, and
 * back, one transform of many lines each.
 *
 * cuFFT has sums of sines or cosines alone only as parts of longer or turned periodic
 * lines.  A line of n values, c cells long, becomes m points, named by the FFTW
 * transform:
 *   periodic      m = n    as it is; real values to complex modes and back
 *   sines         m = 2c   RODFT00: the line, 0, its negative mirror image, 0
 *   cosines       m = 2c   REDFT00: the line and its mirror image
 *   cosines_half  m = n    REDFT01, and back REDFT10; even values in order and odd
 *                          ones from the end make one real line (Makhoul, IEEE Trans. ASSP
 *                          28, 27, 1980; taken from the definition here, see put and take
 *                          in gpu_lines.cu)
 *   sines_half    as cosines_half, from the other end of the line
 * Modes of all kinds are real numbers, two for each complex mode of a periodic line, as
 * in fields/poisson/fft.h.  So the axes can be transformed in any order. */
#ifndef WN_FIELDS_POISSON_GPU_LAYOUT_H
#define WN_FIELDS_POISSON_GPU_LAYOUT_H
#include <stddef.h>
#include <stdint.h>
#include "fields/poisson/poisson.h"
#include "physics/host_device.h"

WN_BEGIN_DECLS

/* One transform of many lines: those along an axis of a box of values.  Line (a, b), with
 * the places along the other two axes, the lower first, begins at (b extent + a) row. */
struct wn_poisson_lines {
  int32_t along;
  int32_t kind;      /* enum wn_fft_kind, except sines_half */
  int32_t is_turned; /* values are counted from the high side */
  int32_t is_back;   /* modes to values */
  int32_t n, m;      /* values and points of a line */
  int32_t extent[3]; /* values along each axis; extent[along] is n */
  int64_t row;       /* doubles of a line: m/2 + 1 complex numbers, or m reals */
  /* cosines_half, on the device, set by the owner: exp(i pi k / 2n), k = 0 .. n/2 */
  const double *turns;
};

/* Whether cuFFT makes complex modes from reals; otherwise reals from modes. */
static WN_HD int wn_poisson_lines_from_reals(const struct wn_poisson_lines *l)
{
  return l->kind == 0 ? !l->is_back : l->kind == 4 ? l->is_back : 1;
}

/* The factor of a transform and the one back, as wn_fft_norm. */
static inline double wn_poisson_lines_norm(const struct wn_poisson_lines *l)
{
  return (double)l->m * (l->kind == 4 ? 2.0 : 1.0);
}

struct wn_poisson_layout {
  int together;                        /* one transform of all axes */
  struct wn_poisson_lines lines[3][2]; /* of the solve, [axis][is_back]; together: [0] */
  struct wn_poisson_lines field[3][2]; /* of E; n is 0 where no modes are used */
  size_t nodes;                        /* of rho and phi */
  size_t buffer; /* doubles of each of two buffers; 0: there are none */
  size_t work;   /* bytes for cuFFT, a forecast */
};

/* Of a whole grid, by modes or with open sides; spec: accepted by wn_poisson_check.
 *
 * work: cuFFT 12.0 on an H200 (2026-11-22) needed none for powers of two up to 4096 (all
 * axes together: 2048), and for products of factors up to 7 up to 600.  Otherwise it
 * needed one or two times the doubles of the transform; four with a prime of 251 or 1009
 * and all axes together.  The forecast is two, or four with a prime above 127. */
void wn_poisson_layout(const struct wn_poisson_spec *spec, struct wn_poisson_layout *out);

/* The modes of lines along z in r-z, where they are in a line after its first transform (gpu_radial.cu): column c
 * at `at + c step`; or, where gpu_radial_sines.cu transforms them, of its rows. */
struct wn_poisson_columns {
  int32_t kind;     /* enum wn_fft_kind */
  int32_t n;        /* columns */
  int32_t at, step; /* in doubles */
  int32_t modes;    /* of a line */
  int32_t sines;    /* wn_poisson_sines_log2 */
  int64_t pitch;    /* doubles of a row of one number a column */
};

/* In r-z: lines of axis 1 alone, with rows of whole sectors of memory, and their columns.  Lines of sines or
 * cosines come back from complex modes as all their points, of which the first is node 0. */
void wn_poisson_radial_layout(const struct wn_poisson_spec *spec,
                              struct wn_poisson_layout *out,
                              struct wn_poisson_columns *columns);
/* The mode of column c, as wn_poisson_lambda counts; -1: none. */
int64_t wn_poisson_column_mode(const struct wn_poisson_columns *l, int64_t c);

/* Lines along an axis of a box of values, of a kind of enum wn_fft_kind, for a caller
 * that lays them out itself; _take enlarges buffer and work of a layout to their
 * needs. */
struct wn_poisson_lines wn_poisson_lines(int along, int kind, int is_back,
                                         const int32_t extent[3]);
void wn_poisson_layout_take(const struct wn_poisson_lines *l, int together,
                            struct wn_poisson_layout *out);

WN_END_DECLS

#endif
