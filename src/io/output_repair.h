/* src/io/output_repair.h - repairs the end-of-file address of an HDF5 file whose last write failed. */
#ifndef WN_SRC_IO_OUTPUT_REPAIR_H
#define WN_SRC_IO_OUTPUT_REPAIR_H

/* HDF5 writes the end-of-file address into the superblock even if the file could not be extended so far,
 * as under a limit on the size of files; it then takes the file for truncated and cannot open it.  This
 * function writes the real end of the file; data beyond it was never written.  fd: open for reading and
 * writing.  Returns whether a file of superblock version 2 or 3 now has a correct address. */
int wn_output_repair(int fd);

#endif
