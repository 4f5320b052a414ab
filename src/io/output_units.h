/* src/io/output_units.h - the units that a file gives to a quantity.  CF wants what UDUNITS can read, which
 * knows neither the townsend nor the huxley, reads Td as teradays, and has no powers of halves. */
#ifndef WN_SRC_IO_OUTPUT_UNITS_H
#define WN_SRC_IO_OUTPUT_UNITS_H

/* The attribute with the unit that people use, where `units` has another or is missing. */
#define WN_OUT_USUAL_UNIT "usual_unit"

/* The attribute `units` of a quantity in this unit; NULL: UDUNITS has no way to write it.  *is_usual: this
 * unit goes to usual_unit. */
const char *wn_output_units(const char *unit, int *is_usual);

#endif
