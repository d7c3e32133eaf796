// The version of the programs.
#ifndef TOTEBOARD_PROGRAM_VERSION_H
#define TOTEBOARD_PROGRAM_VERSION_H

// NB: the Makefile, and through it the packages, read the version from this line.
#define TOTEBOARD_VERSION "0.1.0"

// Returns the version, followed by the commit if the build knows it: "0.1.0 (22b9472)". The string is static.
const char *program_version(void);

#endif
