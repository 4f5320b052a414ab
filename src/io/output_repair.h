/* src/io/output_repair.h - the end of an HDF5 file whose last write failed. */
#ifndef WN_SRC_IO_OUTPUT_REPAIR_H
#define WN_SRC_IO_OUTPUT_REPAIR_H

/* HDF5 writes into the superblock where the file ends also when the file could not be made so long,
 * as under a limit on the size of files, and then takes it for truncated and opens it no more.  Puts
 * there where it does end; what lies behind was never written.  fd: open for reading and
 * writing.  Whether a file of superblock version 2 or 3 now ends where it says. */
int wn_output_repair(int fd);

#endif
