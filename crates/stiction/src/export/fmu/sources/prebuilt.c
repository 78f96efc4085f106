/* The library that runs any unit, in both versions of the interface: compiled when the program is built, and put into units. Its law is read from a
   file among the resources of the unit. */
#include "runtime.h"

#include "rounding.h"

#include "elementary.c"

#include "interpreter.c"

#include "model_file.c"

#include "state.c"

#include "interpreted_law.c"

#include "runtime.c"

#include "fmi2.c"

#include "fmi3.c"
