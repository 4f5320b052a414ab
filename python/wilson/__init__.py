"""Wilson: electrons in gases, particle-in-cell with Monte-Carlo collisions.

    import wilson
    result = wilson.run("swarm-air", electrons=2000, accuracy=0.02)   # an xarray.Dataset
    wilson.plot.save(result, "swarm.png")

    with wilson.Run("runaway.cfg") as run:                            # stepped, asked and driven: libwilson
        run.step(until=1e-12)
        print(run.time, run.sums().particles)

The program `wilson` does the work: the numbers, the messages and the files are those of the command line.
"""
from . import plot
from .cross_sections import CrossSections
from .program import Error, InputError, LimitReached, RunError, program, version
from .results import open_results as open  # noqa: A004  as in xarray.open_dataset
from .running import run
from .scan import collect, scan, slurm
from .scenario import Scenario, keys, scenarios
from .stepping import Run

__all__ = ["CrossSections", "Error", "InputError", "LimitReached", "Run", "RunError", "Scenario", "collect", "keys", "open", "plot",
           "program", "run", "scan", "scenarios", "slurm", "version"]
