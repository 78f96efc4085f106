/* What all files need. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The law and the sizes of everything: constants in a unit that was compiled, read from a file by the library that runs any unit. */
typedef struct Model Model;
