/* What is the same for every law and every version of the interface. */
#include "equations.c"

#include "events.c"

#include "rodas5p.c"

#include "rosenbrock.c"

#include "integrator.c"

#include "variables.c"

#include "calls.c"
