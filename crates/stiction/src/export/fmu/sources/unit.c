/* The one file to compile: all others are included. See model.h for what it is. */
#include "runtime.h"

#include "model.h"

#include "constant_model.c"

#include "state.c"

#include "law.c"

#include "runtime.c"

#include "interface.c"
