/* src/results/vtk_write.c - struct wn_vtk as files.
 *
 * Image data: the XML format of VTK, "VTKFile" version 1.0 with appended raw data: after the mark "_" each array
 * as the number of its bytes, 64 bits, and its values; x is fastest.  The bytes are in the order of this
 * machine, which the file says.  Legacy: "# vtk DataFile Version 3.0", title, ASCII, dimensions, origin, spacing,
 * one scalar, a value a line.  Both from the description of the formats in The VTK User's Guide, "VTK File
 * Formats". */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "base/alloc.h"
#include "base/error.h"
#include "base/version.h"
#include "src/io/result_file.h"
#include "src/results/vtk.h"

/* A text as part of an attribute. */
static void put_text(const char *text, FILE *to)
{
  for (; *text != '\0'; text++) {
    const unsigned char c = (unsigned char)*text;
    if (c == '&' || c == '<' || c == '>' || c == '"' || c < ' ')
      fprintf(to, "&#%u;", c);
    else
      fputc(c, to);
  }
}

static uint64_t bytes_of(const struct wn_vtk *v, const struct wn_vtk_array *a)
{
  return (uint64_t)v->n * (uint64_t)a->components * sizeof(double);
}

static void put_extent(const char *name, const struct wn_vtk *v, FILE *to)
{
  fprintf(to, " %s=\"0 %zu 0 %zu 0 %zu\"", name, v->points[0] - 1, v->points[1] - 1,
          v->points[2] - 1);
}

static void put_head(const struct wn_vtk *v, size_t record, FILE *to)
{
  const union {
    uint16_t word;
    unsigned char byte[2];
  } order = {.word = 1};
  uint64_t at = 0;
  fprintf(to,
          "<?xml version=\"1.0\"?>\n"
          "<!-- written by wilson %s; SI units -->\n"
          "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"%sEndian\" "
          "header_type=\"UInt64\">\n  <ImageData",
          wn_version(), order.byte[0] == 1 ? "Little" : "Big");
  put_extent("WholeExtent", v, to);
  fprintf(to, " Origin=\"%.17g %.17g %.17g\" Spacing=\"%.17g %.17g %.17g\">\n",
          v->origin[0], v->origin[1], v->origin[2], v->spacing[0], v->spacing[1],
          v->spacing[2]);
  fprintf(to,
          "    <FieldData>\n"
          "      <DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" "
          "format=\"ascii\">%.17g</DataArray>\n"
          "    </FieldData>\n    <Piece",
          v->time[record]);
  put_extent("Extent", v, to);
  fputs(">\n      <PointData>\n", to);
  for (size_t i = 0; i < v->n_arrays; i++) {
    const struct wn_vtk_array *a = &v->array[i];
    fputs("        <DataArray type=\"Float64\" Name=\"", to);
    put_text(a->name, to);
    fprintf(to,
            "\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%" PRIu64 "\"/>\n",
            a->components, at);
    at += sizeof(uint64_t) + bytes_of(v, a);
  }
  fputs("      </PointData>\n    </Piece>\n  </ImageData>\n"
        "  <AppendedData encoding=\"raw\">\n_",
        to);
}

/* one, all: [n] and [n * components]. */
static int put_array(const struct wn_vtk *v, const struct wn_vtk_array *a, size_t record,
                     double *one, double *all, FILE *to)
{
  const size_t m = (size_t)a->components;
  const uint64_t bytes = bytes_of(v, a);
  for (size_t k = 0; k < m; k++) {
    if (a->variable[k] != NULL)
      WN_TRY(wn_result_record(v->file, a->variable[k], record, v->n, one));
    for (size_t i = 0; i < v->n; i++)
      all[i * m + k] = a->variable[k] != NULL ? one[i] : 0.0;
  }
  fwrite(&bytes, sizeof bytes, 1, to);
  fwrite(all, sizeof *all, v->n * m, to);
  return WN_OK;
}

int wn_vtk_write_image(const struct wn_vtk *v, size_t record, FILE *to)
{
  double *one = wn_alloc(v->n, sizeof *one), *all = NULL;
  size_t most;
  if (!__builtin_mul_overflow(v->n, (size_t)WN_VTK_COMPONENTS, &most))
    all = wn_alloc(most, sizeof *all);
  int status = one != NULL && all != NULL ? WN_OK : WN_ENOMEM;
  if (status == WN_OK)
    put_head(v, record, to);
  for (size_t i = 0; i < v->n_arrays && status == WN_OK; i++)
    status = put_array(v, &v->array[i], record, one, all, to);
  fputs("\n  </AppendedData>\n</VTKFile>\n", to);
  free(one);
  free(all);
  return status;
}

int wn_vtk_write_list(size_t n, const double *time, const char *const *name, FILE *to)
{
  fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\">\n"
        "  <Collection>\n",
        to);
  for (size_t i = 0; i < n; i++) {
    fprintf(to, "    <DataSet timestep=\"%.17g\" part=\"0\" file=\"", time[i]);
    put_text(name[i], to);
    fputs("\"/>\n", to);
  }
  fputs("  </Collection>\n</VTKFile>\n", to);
  return WN_OK;
}

int wn_vtk_write_legacy(const struct wn_vtk *v, const char *name, const double *value,
                        FILE *to)
{
  size_t n[3];
  for (int d = 0; d < 3; d++)
    n[d] = d < v->dim ? v->points[d] - 1 : 1;
  fprintf(to,
          "# vtk DataFile Version 3.0\ncharge density, written by wilson %s\nASCII\n"
          "DATASET STRUCTURED_POINTS\nDIMENSIONS %zu %zu %zu\nORIGIN %.9g %.9g %.9g\n"
          "SPACING %.9g %.9g %.9g\nPOINT_DATA %zu\nSCALARS %s float\n"
          "LOOKUP_TABLE default\n",
          wn_version(), n[0], n[1], n[2], v->origin[0], v->origin[1], v->origin[2],
          v->spacing[0], v->spacing[1], v->spacing[2], n[0] * n[1] * n[2], name);
  for (size_t z = 0; z < n[2]; z++)
    for (size_t y = 0; y < n[1]; y++)
      for (size_t x = 0; x < n[0]; x++)
        fprintf(to, "%.9g\n", value[(z * v->points[1] + y) * v->points[0] + x]);
  return WN_OK;
}
