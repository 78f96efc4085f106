"""Times kernels written by others for the trajectories of `cargo x bench gpu`: python3 gpu.py FOLDER

FOLDER has k.cu, a kernel for this one system, and g.cu, one for any parameters of the law, both with the header a7g.h or a7.h that they
include. They are compiled with nvcc into a temporary folder and run with CuPy. Prints lines of the benchmark's table.
"""

import os
import subprocess
import sys
import tempfile

import cupy as cp
import numpy as np

COUNT, SAMPLES, ROUNDS, THREADS = 1 << 20, 200, 5, 128
FLAGS = ["-arch=native", "-O3", "-cubin", "-diag-suppress", "177"]
BUILDS = {
    "special": ["k.cu", "-DFASTEXP", "-DFASTRCP", "-DMB=4"],
    "check": ["k.cu", "-DCHK"],
    "generic": ["g.cu", "-DGEN", "-DFASTEXP", "-DFASTRCP", "-DMB=4"],
}


def compiled(folder: str, to: str) -> dict[str, cp.RawModule]:
    started = {}
    for name, (source, *flags) in BUILDS.items():
        path = os.path.join(to, f"{name}.cubin")
        started[name] = (path, subprocess.Popen(["nvcc", *FLAGS, *flags, os.path.join(folder, source), "-o", path]))
    for name, (_, process) in started.items():
        if process.wait() != 0:
            sys.exit(f"{name} does not compile")
    return {name: cp.RawModule(path=path) for name, (path, _) in started.items()}


def seconds(launch) -> float:
    launch()
    times = []
    for _ in range(ROUNDS):
        begin, end = cp.cuda.Event(), cp.cuda.Event()
        begin.record()
        launch()
        end.record()
        end.synchronize()
        times.append(1e-3 * cp.cuda.get_elapsed_time(begin, end))
    return min(times)


def blocks(kernel) -> int:
    registers = (kernel.num_regs * 32 + 255) // 256 * 256 * (THREADS // 32)
    return cp.cuda.Device().attributes["MultiProcessorCount"] * min(2048 // THREADS, 65536 // registers)


def line(name: str, tolerance: float, took: float, errors) -> str:
    head = f"peer {name},{tolerance:g},{0.2 * tolerance:g},{COUNT},{COUNT / took:.3e},"
    if errors is None:
        return head + ",,,,,"
    errors = np.sort(np.where(np.isnan(errors), 9.0, errors))
    at = [errors[int(part * (COUNT - 1))] for part in (0.5, 0.99, 0.999)]
    above = [np.mean(errors > limit) for limit in (1e-4, 1e-6)]
    return head + "," + ",".join(f"{x:.1e}" for x in at + above) + ",0"


def main() -> None:
    draw = np.random.default_rng(7)
    stiffness, pull = 0.5 + 7.5 * draw.random(COUNT), 0.5 * 10.0 ** draw.random(COUNT)
    k, v = cp.asarray(stiffness), cp.asarray(pull)
    peak, end, error = cp.zeros(COUNT), cp.zeros(COUNT), cp.zeros(COUNT)
    sticks, attempts, taken = cp.zeros(COUNT, cp.int32), cp.zeros(COUNT, cp.int32), cp.zeros(1, cp.int32)
    count, number = np.int32(COUNT), np.float64
    # CuPy reads the machine code when a kernel is first used: the folder stays until the end
    folder = tempfile.TemporaryDirectory()
    modules = compiled(sys.argv[1], folder.name)
    exact = cp.full((SAMPLES, COUNT), cp.nan)
    tight = (number(1e-12), number(1e-12), number(1e-10), number(0.02))
    modules["check"].get_function("chk_r5k1")(
        (COUNT // THREADS,), (THREADS,), (k, v, count, *tight, peak, sticks, end, attempts, exact, error, np.int32(0))
    )
    cp.cuda.Device().synchronize()
    size = cp.abs(exact).max(0)
    fixed = [np.full(COUNT, x) for x in (3, 3, 10, 1000, 63.245553203367585, 0.2, 1.0)]
    parameters = cp.asarray(np.concatenate([stiffness, pull, *fixed]))
    samples = cp.zeros((SAMPLES, COUNT))
    for tolerance in (3e-5, 2e-7):
        options = (number(tolerance), number(0.2 * tolerance), number(0.1 * np.sqrt(tolerance)), number(1e9))
        kernel = modules["special"].get_function("steal_r5k1")
        grid = blocks(kernel)

        def special(kernel=kernel, grid=grid, options=options) -> None:
            taken.fill(grid * THREADS)
            kernel((grid,), (THREADS,), (k, v, count, *options, peak, sticks, end, attempts, taken))

        print(line("k.cu measures alone", tolerance, seconds(special), None))
        kernel = modules["generic"].get_function("steal_r5k1")
        grid = blocks(kernel)

        def generic(kernel=kernel, grid=grid, options=options) -> None:
            taken.fill(grid * THREADS)
            kernel((grid,), (THREADS,), (parameters, count, *options, peak, sticks, samples, attempts, taken))

        samples.fill(cp.nan)
        took = seconds(generic)
        print(line("g.cu with 200 samples", tolerance, took, cp.asnumpy(cp.abs(samples - exact).max(0) / size)))


if __name__ == "__main__":
    main()
