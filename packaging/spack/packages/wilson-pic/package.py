# Copyright (c) 2026, the Wilson developers
#
# SPDX-License-Identifier: BSD-3-Clause

import os

from spack.package import *


class WilsonPic(AutotoolsPackage, CudaPackage):
    """Electrons and ions in gases, collision by collision (PIC-MCC): swarms and their transport
    coefficients, runaway electrons, plasmas; on processors and on NVIDIA GPUs, to the same bits."""

    license("BSD-3-Clause")

    # There is no archive yet: `make dist`, WILSON_TARBALL=<its path> spack install --no-checksum wilson-pic@0.1.0,
    # or `spack dev-build wilson-pic@0.1.0` in the tree.
    url = "file://" + os.path.abspath(os.environ.get("WILSON_TARBALL", "wilson-0.1.0.tar.gz"))
    version("0.1.0")

    variant("openmp", default=True, description="Threads on the processors")
    variant("mpi", default=True, description="Runs on several processes")
    variant("plot", default=True, description="What wilson-plot and the Python module need")

    depends_on("c", type="build")
    depends_on("cxx", type="build", when="+cuda")
    depends_on("pkgconfig", type="build")
    depends_on("autoconf", type="build")
    depends_on("automake@1.16:", type="build")
    depends_on("libconfig")
    depends_on("fftw precision=double")
    depends_on("netcdf-c")
    depends_on("random123")  # headers alone, but only what is linked, too, is on the compiler's path
    depends_on("mpi@3:", when="+mpi")
    depends_on("cuda@12.8:", when="+cuda")
    depends_on("python@3.9:", type="run", when="+plot")
    depends_on("py-matplotlib", type="run", when="+plot")
    depends_on("py-netcdf4", type="run", when="+plot")
    depends_on("py-xarray", type="run", when="+plot")

    def autoreconf(self, spec, prefix):
        # the tarball has configure; a tree of git has bootstrap
        if not os.path.exists("configure"):
            Executable("./bootstrap")()

    def configure_args(self):
        args = self.enable_or_disable("openmp") + self.with_or_without("mpi")
        if self.spec.satisfies("+mpi"):
            args.append(f"MPICC={self.spec['mpi'].mpicc}")
        if self.spec.satisfies("+cuda"):
            args.append(f"--with-cuda={self.spec['cuda'].prefix}")
            arch = self.spec.variants["cuda_arch"].value
            if arch != ("none",):
                args.append(f"--with-cuda-arch={' '.join(arch)}")
        else:
            args.append("--without-cuda")
        return args

    def setup_run_environment(self, env):
        if self.spec.satisfies("+plot"):
            env.prepend_path("PYTHONPATH", self.prefix.share.wilson.python)

    def check(self):
        with working_dir(self.build_directory):
            make("check", "WN_FAST=1")
