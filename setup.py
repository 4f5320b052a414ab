"""Builds the program with configure and make, and puts it and its scenarios beside the modules of the package.

WILSON_CONFIGURE: options of configure; the default leaves out CUDA and MPI, so that the program runs on any machine.
A build folder in the tree is not touched: this build has one of its own.
"""
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

TREE = Path(__file__).resolve().parent


class Build(build_py):
    def run(self):
        super().run()
        if self.editable_mode:
            return  # the modules in the tree find the program that was built there
        folder = Path(self.get_finalized_command("build").build_temp).resolve() / "make"
        folder.mkdir(parents=True, exist_ok=True)
        if not (TREE / "configure").exists():
            subprocess.check_call(["./bootstrap"], cwd=TREE)
        options = shlex.split(os.environ.get("WILSON_CONFIGURE", "--without-cuda --without-mpi"))
        subprocess.check_call([str(TREE / "configure"), "-q", *options], cwd=folder)
        subprocess.check_call(["make", f"-j{os.cpu_count() or 1}", "wilson"], cwd=folder)
        package = Path(self.build_lib) / "wilson"
        (package / "bin").mkdir(parents=True, exist_ok=True)
        shutil.copy2(folder / "wilson", package / "bin" / "wilson")
        subprocess.check_call(["strip", str(package / "bin" / "wilson")])
        for folder in ("scenarios", "crosssections"):  # scenarios name files beside their folder
            shutil.copytree(TREE / "data" / folder, package / folder, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("*.mk", "*.nc"))


class Wheel(bdist_wheel):
    """Any Python 3 of a platform: the program is no module of one version."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class WithProgram(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r"AC_INIT\(\[wilson\], \[([^]]*)\]", (TREE / "configure.ac").read_text()).group(1)
setup(version=version, cmdclass={"build_py": Build, "bdist_wheel": Wheel}, distclass=WithProgram)
