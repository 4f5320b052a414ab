/* crosssections/xs_lxcat_scan.c - from the bytes of an LXCat text file to its blocks.
 * Real files are wider than the description in their header, so a block is known by its
 * structure, never by its distance from the top: a keyword alone on its line, the target,
 * perhaps a number, free lines, dashes, rows, dashes. LoKI's files have no keyword; there
 * PROCESS opens a block and its last word is the kind. Bytes are read as UTF-8; a line
 * that is not is taken as Windows-1252.  Lines end with LF, CRLF or CR, also mixed. */
#include "crosssections/xs_lxcat_scan.h"

#include "crosssections/xs_lxcat_text.h"
#include "base/alloc.h"
#include "base/clean.h"
#include "base/error.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define KNOWN(KIND, name, file) #KIND ", "
#define KNOWN_KEYWORDS          WN_PROCESSES(KNOWN, KNOWN, KNOWN, KNOWN, KNOWN) "EFFECTIVE"

static const struct keyword {
  const char *name;
  enum wn_xs_block_use use;
  enum wn_xs_kind kind;
} keywords[] = {
#define KEYWORD(KIND, name, file) {#KIND, WN_XS_BLOCK_PROCESS, WN_XS_##KIND},
    WN_PROCESSES(KEYWORD, KEYWORD, KEYWORD, KEYWORD, KEYWORD)
#undef KEYWORD
        {"EFFECTIVE", WN_XS_BLOCK_PROCESS, WN_XS_EFFECTIVE},
    {"MOMENTUM", WN_XS_BLOCK_PROCESS,
     WN_XS_EFFECTIVE}, /* its name in files before 2013 */
    {"ROTATIONAL", WN_XS_BLOCK_STATE, WN_XS_EXCITATION},
    {"VIBRATIONAL", WN_XS_BLOCK_STATE, WN_XS_EXCITATION},
    {"ISOTROPIC", WN_XS_BLOCK_ION, WN_XS_ISOTROPIC},
    {"BACKSCAT", WN_XS_BLOCK_ION, WN_XS_BACKSCATTER},
};

/* Beginnings of lines of a head that are not the target. */
static const char *const tags[] = {
    "SPECIES:",    "PROCESS:",     "PARAM.:",        "PARAM:",
    "COMMENT:",    "UPDATED:",     "COLUMNS:",       "TIMES_N:",
    "SCALING:",    "REACTION:",    "INPUT_SPECIES:", "OUTPUT_SPECIES:",
    "CREATED ON:", "CS_FILENAME:", "ZDPLASKIN:",     "!",
};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum state { IDLE, HEAD, TABLE };

struct scanner {
  const char *path;
  struct wn_xs_blocks *out;
  struct wn_xs_block block; /* under construction in HEAD and TABLE */
  enum state state;
  int line;          /* of the current text */
  int target_line;   /* n_head when the target was read; 0 before */
  bool after_dashes; /* the last line that was not blank was dashes, outside blocks */
  bool windows;      /* a line was not UTF-8, and the remark has been made */
  char *database;    /* of the current section */
};

/* ---- text ---- */

static bool is_tag(const char *s)
{
  for (size_t i = 0; i < COUNT(tags); i++)
    if (wn_xs_text_starts(s, tags[i]))
      return true;
  return false;
}

static const struct keyword *find_keyword(const char *s)
{
  for (size_t i = 0; i < COUNT(keywords); i++)
    if (strcmp(s, keywords[i].name) == 0)
      return &keywords[i];
  return NULL;
}

static int set_string(char **to, const char *text)
{
  char *copy = wn_strdup(text);
  if (copy == NULL)
    return WN_ENOMEM;
  free(*to);
  *to = copy;
  return WN_OK;
}

/* ---- blocks ---- */

static void block_clear(struct wn_xs_block *b)
{
  free(b->target);
  free(b->product);
  free(b->ion);
  free(b->species);
  free(b->process);
  for (int i = 0; i < WN_XS_N_PRODUCTS; i++)
    free(b->products[i]);
  free(b->database);
  free(b->comment);
  free(b->updated);
  free(b->energy_ev);
  free(b->sigma);
  free(b->row_line);
  free(b->error);
  *b = (struct wn_xs_block){.use = WN_XS_BLOCK_PROCESS};
}

void wn_xs_lxcat_scan_free(struct wn_xs_blocks *b)
{
  for (size_t i = 0; i < b->n; i++)
    block_clear(&b->block[i]);
  for (size_t i = 0; i < b->n_remarks; i++)
    free(b->remark[i].text);
  free(b->block);
  free(b->remark);
  *b = (struct wn_xs_blocks){.n = 0};
}

/* A remark about the file; takes over text, which may be NULL (no memory). */
static int file_remark(struct scanner *s, int line, char *text)
{
  struct wn_xs_blocks *b = s->out;
  struct wn_xs_block_remark *more =
      text != NULL ? wn_realloc(b->remark, b->n_remarks + 1, sizeof *more) : NULL;
  if (more == NULL) {
    free(text);
    return WN_ENOMEM;
  }
  b->remark = more;
  more[b->n_remarks++] = (struct wn_xs_block_remark){line, text};
  return WN_OK;
}

/* The first error of a block; takes over text. */
static int block_error(struct scanner *s, char *text)
{
  if (text == NULL)
    return WN_ENOMEM;
  if (s->block.error != NULL) {
    free(text);
    return WN_OK;
  }
  s->block.error = text;
  s->block.error_line = s->line;
  return WN_OK;
}

static int open_block(struct scanner *s, const struct keyword *k, bool keyless)
{
  block_clear(&s->block);
  s->block.use = k->use;
  s->block.kind = k->kind;
  s->block.keyword = k->name;
  s->block.keyless = keyless;
  s->block.line = s->line;
  s->block.process_kind = WN_XS_N_KINDS;
  s->state = HEAD;
  s->target_line = 0;
  return s->database != NULL ? set_string(&s->block.database, s->database) : WN_OK;
}

/* Find the first arrow between blanks, else the first arrow at all; *len is its
 * length. */
static char *find_arrow(char *text, size_t *len, bool *both_ways)
{
  for (int loose = 0; loose < 2; loose++)
    for (char *p = text; (p = strstr(p, "->")) != NULL; p++) {
      bool both = p > text && p[-1] == '<';
      char *from = both ? p - 1 : p;
      if (from == text)
        continue;
      if (loose || (wn_xs_text_is_blank(from[-1]) && wn_xs_text_is_blank(p[2]))) {
        *len = both ? 3 : 2;
        *both_ways = both;
        return from;
      }
    }
  return NULL;
}

/* "target -> product" or "target"; changes text. */
static int set_target(struct wn_xs_block *b, char *text)
{
  size_t len;
  char *arrow = find_arrow(text, &len, &b->reversible);
  if (arrow != NULL) {
    *arrow = '\0';
    char *product = wn_xs_text_strip(arrow + len);
    if (*product != '\0')
      WN_TRY(set_string(&b->product, product));
  }
  return set_string(&b->target, wn_xs_text_strip(text));
}

/* "E + N2" to "N2", "E + E + N2+" to "N2+": the electrons of one side of PROCESS are left
 * out; changes text. */
static char *without_electrons(char *text)
{
  text = wn_xs_text_strip(text);
  while ((*text == 'E' || *text == 'e') && wn_xs_text_is_blank(text[1])) {
    char *p = wn_xs_text_strip(text + 1);
    if (*p != '+' || !wn_xs_text_is_blank(p[1]))
      break;
    text = wn_xs_text_strip(p + 1);
  }
  size_t n;
  while ((n = strlen(text)) > 4 && (text[n - 1] == 'E' || text[n - 1] == 'e') &&
         wn_xs_text_is_blank(text[n - 2]) && text[n - 3] == '+' &&
         wn_xs_text_is_blank(text[n - 4])) {
    text[n - 4] = '\0';
    text = wn_xs_text_strip(text);
  }
  return text;
}

/* The kind that the last word of PROCESS names; NULL for none. */
static const struct keyword *process_word(const char *process)
{
  const char *word = process;
  for (const char *p = process; *p != '\0'; p++)
    if (*p == ',' || wn_xs_text_is_blank(*p))
      word = p + 1;
  for (size_t i = 0; i < COUNT(keywords); i++)
    if (strcasecmp(word, keywords[i].name) == 0)
      return &keywords[i];
  return NULL;
}

/* Target and product of a block without line 2. */
static int target_of_process(struct wn_xs_block *b)
{
  char *text = wn_strdup(b->process);
  if (text == NULL)
    return WN_ENOMEM;
  char *comma = strrchr(text, ',');
  if (comma != NULL && process_word(b->process) != NULL)
    *comma = '\0';
  size_t len;
  int status = WN_OK;
  char *arrow = find_arrow(text, &len, &b->reversible);
  if (arrow != NULL) {
    *arrow = '\0';
    char *product = without_electrons(arrow + len);
    if (*product != '\0')
      status = set_string(&b->product, product);
  }
  char *target = without_electrons(text);
  if (status == WN_OK && *target != '\0')
    status = set_string(&b->target, target);
  b->from_process = true;
  free(text);
  return status;
}

/* The right side of "E + CH4 -> CH2- + H2", without electrons; NULL in *to without an
 * arrow, unless the text is that side alone. */
static int set_products(char **to, const char *text, bool alone)
{
  size_t len;
  bool both;
  char *copy = wn_strdup(text);
  if (copy == NULL)
    return WN_ENOMEM;
  char *comma = strrchr(copy, ','), *arrow = find_arrow(copy, &len, &both);
  if (comma != NULL && process_word(copy) != NULL)
    *comma = '\0';
  char *right = arrow != NULL ? without_electrons(arrow + len) : alone ? copy : NULL;
  int status = WN_OK;
  if (right != NULL && *right != '\0')
    status = set_string(to, alone ? without_electrons(right) : right);
  free(copy);
  return status;
}

/* "Ar^+" as "Ar+". */
static char *without_carets(const char *text)
{
  char *out = wn_strdup(text), *to = out;
  for (const char *p = text; out != NULL && *p != '\0'; p++)
    if (*p != '^')
      *to++ = *p;
  if (out != NULL)
    *to = '\0';
  return out;
}

/* Ion and gas of text, divided by `by`; nothing is done where it is not there. */
static int divide_ion(struct wn_xs_block *b, const char *text, const char *by)
{
  const char *at = text != NULL ? strstr(text, by) : NULL;
  if (b->ion != NULL || at == NULL)
    return WN_OK;
  char *ion = wn_asprintf("%.*s", (int)(at - text), text),
       *gas = wn_strdup(at + strlen(by));
  int status = WN_ENOMEM;
  if (ion != NULL && gas != NULL && (b->ion = without_carets(wn_xs_text_strip(ion))))
    status = set_string(&b->target, wn_xs_text_strip(gas));
  free(ion);
  free(gas);
  return status;
}

/* The names of a block of ions: "Ar^+ / Ar" of line 2 or SPECIES, or "Ar+ + Ar" of
 * PROCESS. */
static int name_ion(struct wn_xs_block *b)
{
  WN_TRY(divide_ion(b, b->target, " / "));
  WN_TRY(divide_ion(b, b->species, " / "));
  return divide_ion(b, b->from_process ? b->target : NULL, " + ");
}

static int close_block(struct scanner *s)
{
  struct wn_xs_block *b = &s->block;
  if (b->target == NULL && b->process != NULL)
    WN_TRY(target_of_process(b));
  if (b->target == NULL && b->use == WN_XS_BLOCK_PROCESS) {
    wn_log_at(WN_LOG_ERROR, s->path, b->line,
              "block %s names no target: the line after the keyword must be \"target\" "
              "or \"target -> product\"",
              b->keyword);
    return WN_EINPUT;
  }
  if (b->use == WN_XS_BLOCK_ION)
    WN_TRY(name_ion(b));
  if (b->process != NULL)
    WN_TRY(set_products(&b->products[WN_XS_PRODUCTS_PROCESS], b->process, false));
  struct wn_xs_block *more = wn_realloc(s->out->block, s->out->n + 1, sizeof *more);
  if (more == NULL)
    return WN_ENOMEM;
  s->out->block = more;
  more[s->out->n++] = *b;
  *b = (struct wn_xs_block){.use = WN_XS_BLOCK_PROCESS};
  s->state = IDLE;
  s->after_dashes = true;
  return WN_OK;
}

/* A head has ended without a table.  A lone keyword is no block; anything longer is an
 * error. */
static int head_without_table(struct scanner *s)
{
  const struct wn_xs_block *b = &s->block;
  if (b->n_head > 0) {
    wn_log_at(WN_LOG_ERROR, s->path, b->line,
              "block %s has no table: a line of at least 5 dashes, rows of energy and "
              "cross section and a line of "
              "dashes must follow its head before line %d",
              b->keyword, s->line);
    return WN_EINPUT;
  }
  WN_TRY(file_remark(
      s, b->line, wn_asprintf("keyword %s alone, without a block: skipped", b->keyword)));
  block_clear(&s->block);
  s->state = IDLE;
  return WN_OK;
}

static int table_not_closed(const struct scanner *s, const char *by)
{
  wn_log_at(WN_LOG_ERROR, s->path, s->line,
            "%s inside the table of block %s of line %d: a line of at least 5 dashes "
            "must close the table",
            by, s->block.keyword, s->block.line);
  return WN_EINPUT;
}

/* ---- lines of a head ---- */

static int append_comment(struct wn_xs_block *b, const char *text)
{
  if (b->comment == NULL)
    return set_string(&b->comment, text);
  size_t old = strlen(b->comment), add = strlen(text);
  char *more = wn_realloc(b->comment, old + add + 2, 1);
  if (more == NULL)
    return WN_ENOMEM;
  more[old] = '\n';
  memcpy(more + old + 1, text, add + 1);
  b->comment = more;
  return WN_OK;
}

/* "name = number" in PARAM, with a name that does not end a longer one. */
static bool get_param(const char *text, const char *name, double *value)
{
  size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, name)) != NULL; p++) {
    if (p > text && !wn_xs_text_is_blank(p[-1]) && p[-1] != ',')
      continue;
    const char *q = p + n;
    q += strspn(q, " \t");
    if (*q != '=')
      continue;
    q++;
    q += strspn(q, " \t");
    const char *end;
    return wn_xs_text_number(q, &end, value);
  }
  return false;
}

/* Line 3: a number, maybe a second one; text may follow ("/ threshold energy", "eV").
 * "3-body" is no number. */
static bool get_line3(struct wn_xs_block *b, const char *text)
{
  const char *end;
  double value;
  if (!wn_xs_text_number(text, &end, &value) ||
      !(*end == '\0' || wn_xs_text_is_blank(*end) || strchr("/,;", *end) != NULL ||
        wn_xs_text_starts(end, "eV")))
    return false;
  b->has_value = true;
  b->value = value;
  end += strspn(end, " \t,;");
  const char *behind;
  if (wn_xs_text_number(end, &behind, &value) &&
      (*behind == '\0' || wn_xs_text_is_blank(*behind))) {
    b->has_weight = true;
    b->weight = value;
  }
  return true;
}

static int head_tag(struct scanner *s, char *line)
{
  struct wn_xs_block *b = &s->block;
  char *text = strchr(line, ':');
  text = wn_xs_text_strip(text != NULL ? text + 1 : line + strlen(line));
  if (wn_xs_text_starts(line, "SPECIES:"))
    return set_string(&b->species, text);
  if (wn_xs_text_starts(line, "PROCESS:")) {
    const struct keyword *k = process_word(text);
    b->process_kind =
        k != NULL && k->use == WN_XS_BLOCK_PROCESS ? k->kind : WN_XS_N_KINDS;
    return set_string(&b->process, text);
  }
  if (wn_xs_text_starts(line, "PARAM")) {
    b->has_param_e = get_param(text, "E", &b->param_e) || b->has_param_e;
    b->has_param_m = get_param(text, "m/M", &b->param_m) || b->has_param_m;
    b->has_param_g = get_param(text, "g1/g0", &b->param_g) || b->has_param_g;
    get_param(text, "Mi", &b->param_mi);
    get_param(text, "Mi/M", &b->param_mi_m);
    return WN_OK;
  }
  if (wn_xs_text_starts(line, "REACTION:"))
    return set_products(&b->products[WN_XS_PRODUCTS_REACTION], text, false);
  if (wn_xs_text_starts(line, "OUTPUT_SPECIES:"))
    return set_products(&b->products[WN_XS_PRODUCTS_OUTPUT], text, true);
  if (wn_xs_text_starts(line, "COMMENT:"))
    return append_comment(b, text);
  if (wn_xs_text_starts(line, "UPDATED:"))
    return set_string(&b->updated, text);
  if (wn_xs_text_starts(line, "COLUMNS:")) {
    if (strstr(text, "cm2") != NULL || strstr(text, "cm^2") != NULL ||
        strstr(text, "keV") != NULL)
      return block_error(
          s, wn_asprintf(
                 "COLUMNS says \"%.80s\": only energies in eV and cross sections in m2 "
                 "are read",
                 text));
    return WN_OK;
  }
  if (wn_xs_text_starts(line, "TIMES_N:")) {
    if (b->kind != WN_XS_ATTACHMENT || strcasecmp(text, "CM3") != 0)
      return block_error(
          s, wn_asprintf(
                 "TIMES_N: %.40s in block %s: only \"TIMES_N: CM3\" of an ATTACHMENT "
                 "(three-body attachment) is understood",
                 text, b->keyword));
    b->times_n = true;
    return WN_OK;
  }
  if (wn_xs_text_starts(line, "SCALING:")) {
    const char *p = text;
    double f;
    while (wn_xs_text_number(p, &p, &f)) {
      if (f != 1.0)
        return block_error(
            s, wn_asprintf(
                   "SCALING: %.60s is not applied: multiply the rows by hand and remove "
                   "the line",
                   text));
      p += strspn(p, " \t,");
    }
    return WN_OK;
  }
  return WN_OK; /* a tag without physics */
}

static int head_line(struct scanner *s, char *line)
{
  struct wn_xs_block *b = &s->block;
  if (wn_xs_text_all_of(line, '-', 5)) {
    s->state = TABLE;
    return WN_OK;
  }
  const struct keyword *k = find_keyword(line);
  if (k != NULL) {
    WN_TRY(head_without_table(s));
    return open_block(s, k, false);
  }
  if (wn_xs_text_all_of(line, 'x', 20) || wn_xs_text_starts(line, "*****"))
    return head_without_table(s);
  b->n_head++;
  if (is_tag(line))
    return head_tag(s, line);
  if (b->n_head == 1 && !b->keyless) {
    s->target_line = 1;
    return set_target(b, line);
  }
  if (s->target_line == 1 && b->n_head == 2 && get_line3(b, line))
    return WN_OK;
  return append_comment(b, line); /* a free line, or the continuation of a COMMENT */
}

/* ---- lines of a table ---- */

static int table_line(struct scanner *s, char *line)
{
  struct wn_xs_block *b = &s->block;
  if (wn_xs_text_all_of(line, '-', 5))
    return close_block(s);
  if (find_keyword(line) != NULL)
    return table_not_closed(s, line);
  if (wn_xs_text_all_of(line, 'x', 20) || wn_xs_text_starts(line, "*****"))
    return table_not_closed(s, "a line of 'x' or '*'");
  if (wn_xs_text_starts(line, "PROCESS:"))
    return table_not_closed(s, "PROCESS:");

  const char *end, *end2;
  double e, x, more;
  if (!wn_xs_text_number(line, &end, &e)) {
    if (b->n_not_a_row++ == 0)
      b->not_a_row_line = s->line;
    return WN_OK;
  }
  const char *second = end + strspn(end, " \t");
  if (second == end || !wn_xs_text_number(second, &end2, &x) ||
      !(*end2 == '\0' || wn_xs_text_is_blank(*end2)) ||
      wn_xs_text_number(end2 + strspn(end2, " \t"), &end, &more))
    return block_error(s, wn_asprintf("\"%.60s\" is not a row of a table: two numbers "
                                      "are expected, energy [eV] and cross section [m2]",
                                      line));
  if (b->n == b->cap) {
    size_t cap = b->cap > 0 ? 2 * b->cap : 64;
    double *energy = wn_realloc(b->energy_ev, cap, sizeof *energy);
    if (energy == NULL)
      return WN_ENOMEM;
    b->energy_ev = energy;
    double *sigma = wn_realloc(b->sigma, cap, sizeof *sigma);
    if (sigma == NULL)
      return WN_ENOMEM;
    b->sigma = sigma;
    int *row_line = wn_realloc(b->row_line, cap, sizeof *row_line);
    if (row_line == NULL)
      return WN_ENOMEM;
    b->row_line = row_line;
    b->cap = cap;
  }
  b->energy_ev[b->n] = e;
  b->sigma[b->n] = x;
  b->row_line[b->n] = s->line;
  b->n++;
  return WN_OK;
}

/* ---- lines outside blocks ---- */

static int idle_line(struct scanner *s, char *line)
{
  bool after_dashes = s->after_dashes;
  s->after_dashes = wn_xs_text_all_of(
      line, '-', 5); /* opens nothing here: reference lists end with one */
  if (s->after_dashes)
    return WN_OK;
  const struct keyword *k = find_keyword(line);
  if (k != NULL)
    return open_block(s, k, false);
  if (wn_xs_text_starts(line, "DATABASE:"))
    return set_string(&s->database, wn_xs_text_strip(line + strlen("DATABASE:")));
  if (wn_xs_text_starts(line, "PROCESS:") &&
      (k = process_word(wn_xs_text_strip(line + strlen("PROCESS:")))) != NULL) {
    WN_TRY(open_block(s, k, true));
    s->block.n_head = 1;
    return head_tag(s, line);
  }
  const char *end;
  double value;
  if (after_dashes && wn_xs_text_number(line, &end, &value)) {
    const char *second = end + strspn(end, " \t");
    if (second > end && wn_xs_text_number(second, &end, &value) &&
        (*end == '\0' || wn_xs_text_is_blank(*end))) {
      wn_log_at(WN_LOG_ERROR, s->path, s->line,
                "a table without a block: a keyword alone on its line, in capitals "
                "(" KNOWN_KEYWORDS "), must open a block");
      return WN_EINPUT;
    }
  }
  return WN_OK;
}

static int scan_line(struct scanner *s, char *line)
{
  char *converted = NULL;
  if (!wn_xs_text_is_utf8(line)) {
    converted = wn_xs_text_from_windows(line);
    if (converted == NULL)
      return WN_ENOMEM;
    line = converted;
    if (!s->windows) {
      s->windows = true;
      int status = file_remark(
          s, s->line, wn_strdup("bytes that are not UTF-8, read as Windows-1252"));
      if (status != WN_OK) {
        free(converted);
        return status;
      }
    }
  }
  /* names, comments and databases of the file are printed and written to results */
  char *clean = wn_clean_dup(line, "\t\v\f");
  free(converted);
  if (clean == NULL)
    return WN_ENOMEM;
  line = wn_xs_text_strip(clean);
  for (char *at = line; (at = strpbrk(at, "\v\f")) != NULL;)
    *at = ' '; /* blanks as well, but a terminal leaves the line */
  int status = WN_OK;
  if (*line != '\0') {
    if (s->state == IDLE)
      status = idle_line(s, line);
    else if (s->state == HEAD)
      status = head_line(s, line);
    else
      status = table_line(s, line);
  }
  free(clean);
  return status;
}

/* ---- file ---- */

static int scan_text(struct scanner *s, char *text, size_t n)
{
  char *p = text, *end = text + n;
  if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
    p += 3; /* byte order mark */
  while (p < end) {
    s->line++;
    size_t len = 0, left = (size_t)(end - p);
    while (len < left && p[len] != '\n' && p[len] != '\r' && p[len] != '\0')
      len++;
    char *next = p + len;
    if (len < left && *next == '\0') {
      wn_log_at(WN_LOG_ERROR, s->path, s->line,
                "a zero byte: this is not a text file in LXCat's format");
      return WN_EINPUT;
    }
    if (len < left)
      next += next[0] == '\r' && next + 1 < end && next[1] == '\n' ? 2 : 1;
    p[len] = '\0'; /* at the end of the text this is the terminating zero */
    WN_TRY(scan_line(s, p));
    p = next;
  }
  if (s->state == TABLE)
    return table_not_closed(s, "end of file");
  if (s->state == HEAD)
    return head_without_table(s);
  return WN_OK;
}

int wn_xs_lxcat_scan(const char *path, struct wn_xs_blocks *out)
{
  char *text = NULL;
  size_t n = 0;
  WN_TRY(wn_xs_text_read(path, &text, &n));
  struct wn_xs_blocks found = {.n = 0};
  struct scanner s = {.path = path, .out = &found};
  int status = scan_text(&s, text, n);
  block_clear(&s.block);
  free(s.database);
  free(text);
  if (status != WN_OK) {
    wn_xs_lxcat_scan_free(&found);
    return status;
  }
  *out = found;
  return WN_OK;
}
