/* plain_tables.h - the tables of plain_discharge.h from LXCat text: one elastic process, up to
 * two excitations, one ionization; of ions one isotropic and one backscattering process.  A
 * reader for files that Wilson's own has accepted; it checks hardly anything. */
#ifndef WN_T_PLASMA_PLAIN_TABLES_H
#define WN_T_PLASMA_PLAIN_TABLES_H
#include "t/plasma/plain_discharge.h"

static inline int plain_process_of(const char *line)
{
  static const char *const keyword[PLAIN_PROCESSES] = {
      "ELASTIC\n", "EXCITATION\n", NULL, "IONIZATION\n", ", Isotropic\n", ", Backscat\n"};
  const size_t n = strlen(line);
  for (int k = 0; k < PLAIN_PROCESSES; k++) {
    const size_t length = keyword[k] != NULL ? strlen(keyword[k]) : 0;
    if (length > 0 && n >= length && strcmp(line + n - length, keyword[k]) == 0 &&
        (keyword[k][0] == ',' || n == length))
      return k;
  }
  return -1;
}

static inline void plain_read_rows(FILE *f, struct plain_table *t)
{
  char line[4096];
  double e, m2;
  int is_inside = 0;
  t->n = 0;
  while (fgets(line, sizeof line, f) != NULL) {
    if (strncmp(line, "-----", 5) == 0) {
      if (is_inside++)
        return;
    } else if (is_inside && sscanf(line, "%lf %lf", &e, &m2) == 2) {
      t->energy_ev = realloc(t->energy_ev, ((size_t)t->n + 1) * sizeof e);
      t->m2 = realloc(t->m2, ((size_t)t->n + 1) * sizeof m2);
      if (t->energy_ev == NULL || t->m2 == NULL)
        abort();
      t->energy_ev[t->n] = e;
      t->m2[t->n++] = m2;
    }
  }
}

/* Adds the processes of a file to table [PLAIN_PROCESSES]; how many it had, -1: no file. */
static inline int plain_read(const char *path, struct plain_table *table)
{
  char line[4096];
  int found = 0;
  FILE *f = fopen(path, "r");
  if (f == NULL)
    return -1;
  while (fgets(line, sizeof line, f) != NULL) {
    int k = plain_process_of(line);
    if (k < 0)
      continue;
    if (k == PLAIN_EXCITATION_1 && table[k].n > 0)
      k = PLAIN_EXCITATION_2;
    double loss = 0.0;
    if (k < PLAIN_ISOTROPIC &&
        (fgets(line, sizeof line, f) == NULL || fgets(line, sizeof line, f) == NULL))
      break;
    if (k > PLAIN_ELASTIC && k < PLAIN_ISOTROPIC)
      loss = atof(line);
    table[k].loss_ev = loss;
    plain_read_rows(f, &table[k]);
    found++;
  }
  fclose(f);
  return found;
}

static inline void plain_free_tables(struct plain_table *table)
{
  for (int k = 0; k < PLAIN_PROCESSES; k++) {
    free(table[k].energy_ev);
    free(table[k].m2);
  }
}

#endif
