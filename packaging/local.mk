# packaging/ - for systems that install programs: debian/ (make deb), spack/ (a repository of Spack), conda/, Containerfile; what is checked
# of the Python package, and before a release.  packaging/README.
EXTRA_DIST += \
  %D%/Containerfile \
  %D%/README \
  %D%/check-wheel \
  %D%/conda/meta.yaml \
  %D%/debian/changelog \
  %D%/debian/control \
  %D%/debian/copyright \
  %D%/debian/libwilson-dev.install \
  %D%/debian/libwilson-dev.lintian-overrides \
  %D%/debian/libwilson1.install \
  %D%/debian/libwilson1.lintian-overrides \
  %D%/debian/rules \
  %D%/debian/source/format \
  %D%/debian/upstream/metadata \
  %D%/debian/wilson.install \
  %D%/debian/wilson.links \
  %D%/debian/wilson.lintian-overrides \
  %D%/release-check \
  %D%/spack/packages/wilson-pic/package.py \
  %D%/spack/repo.yaml

# A Debian package of this tree: from the tarball of `make dist`, unpacked in debian.build/ of the build folder.  DEB_BUILD_OPTIONS
# are dpkg's: nocheck leaves the tests out (else they are run with WN_FAST=1), parallel=N.
.PHONY: deb
deb: dist
	rm -rf debian.build && $(MKDIR_P) debian.build
	cp $(distdir).tar.gz debian.build/$(PACKAGE)_$(PACKAGE_VERSION).orig.tar.gz
	cd debian.build && tar xzf $(PACKAGE)_$(PACKAGE_VERSION).orig.tar.gz && cd $(distdir) && \
	  cp -R packaging/debian . && dpkg-buildpackage -us -uc -b
	@echo "deb: see debian.build/"

# Hours: the steps of packaging/release-check, in this build folder.  RELEASE_FLAGS=--dry-run prints them.
.PHONY: release-check
release-check: all
	'$(srcdir)/packaging/release-check' $(RELEASE_FLAGS) '$(abs_builddir)'

clean-local:
	-rm -rf debian.build release-check
