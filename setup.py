"""Builds the program with configure and make, and puts it and its data beside the modules of the package.

WILSON_CONFIGURE: options of configure; the default leaves out CUDA and MPI, so that the program runs on any machine.
WILSON_PROGRAM: path of a program that is built already, taken as it is, with the library beside it.
A build folder in the tree is not touched: this build has one of its own.

The source archive (sdist) holds what git has and what ./bootstrap makes, so that it is built without autoconf.
"""
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

try:
    from setuptools.command.bdist_wheel import bdist_wheel
except ImportError:
    from wheel.bdist_wheel import bdist_wheel

TREE = Path(__file__).resolve().parent
LIBRARY = "libwilson.so." + re.search(r"#define WILSON_ABI (\d+)", (TREE / "src/library/wilson.h").read_text()).group(1)
DATA = ("scenarios", "crosssections", "photons")  # scenarios name files beside their folder


def bootstrap():
    if not (TREE / "configure").exists():
        subprocess.check_call(["./bootstrap"], cwd=TREE)


class Build(build_py):
    def run(self):
        super().run()
        if self.editable_mode:
            return  # the modules in the tree find the program that was built there
        package = Path(self.build_lib) / "wilson"
        program = Path(os.environ.get("WILSON_PROGRAM") or self.make())
        for made, folder, strip in ((program, "bin", "strip"), (program.parent / LIBRARY, "lib", "strip --strip-unneeded")):
            (package / folder).mkdir(parents=True, exist_ok=True)
            shutil.copy2(made, package / folder)
            subprocess.check_call([*strip.split(), str(package / folder / made.name)])
        for name in DATA:
            shutil.copytree(TREE / "data" / name, package / name, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("*.mk", "*.nc"))

    def make(self):
        folder = Path(self.get_finalized_command("build").build_temp).resolve() / "make"
        folder.mkdir(parents=True, exist_ok=True)
        bootstrap()
        options = shlex.split(os.environ.get("WILSON_CONFIGURE", "--without-cuda --without-mpi"))
        subprocess.check_call([str(TREE / "configure"), "-q", *options], cwd=folder)
        subprocess.check_call(["make", f"-j{os.cpu_count() or 1}", "wilson", LIBRARY], cwd=folder)
        return folder / "wilson"


class Wheel(bdist_wheel):
    """Any Python 3 of a platform: the program is no module of one version."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


class Source(sdist):
    """All that git has, with what ./bootstrap makes; of an unpacked archive, all that it has but what was built there."""

    def contents(self):
        bootstrap()
        if (TREE / ".git").exists():
            out = subprocess.check_output(["git", "ls-files", "-z"], cwd=TREE, text=True)
            made = ["aclocal.m4", "configure", "Makefile.in", *(str(f.relative_to(TREE)) for f in (TREE / "build-aux").iterdir())]
            names = {*filter(None, out.split("\0")), *made} - {".gitignore"}
        else:
            names = {str(f.relative_to(TREE)) for f in TREE.rglob("*")}
            names = {n for n in names if not re.match(r"(build|build\..*|dist|autom4te\.cache|.*\.egg-info)/|PKG-INFO$|setup\.cfg$", n)
                     and not re.search(r"(^|/)__pycache__/|\.pyc$", n)}
        return {n for n in names if (TREE / n).is_file()}

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, sorted({*files, *self.contents()}))
        said = subprocess.check_output(["sh", "build-aux/version-id", "--print", "."], cwd=TREE, text=True)
        Path(base_dir, ".tarball-git-id").write_text(said)
        # make compares times: what was made from the others is newer, so that autoconf is not called
        for name in ("aclocal.m4", "Makefile.in", "configure"):
            os.utime(Path(base_dir, name))


class WithProgram(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r"AC_INIT\(\[wilson\], \[([^]]*)\]", (TREE / "configure.ac").read_text()).group(1)
setup(version=version, cmdclass={"build_py": Build, "bdist_wheel": Wheel, "sdist": Source}, distclass=WithProgram)
