/* The one file to compile: all others are included. See model.h for what it is. */
#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

#include "law.c"

#include "state.c"

#include "equations.c"

#include "events.c"

#include "rosenbrock.c"

#include "integrator.c"

#include "variables.c"

#include "interface.c"
