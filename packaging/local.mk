# packaging/ - for systems that install programs: debian/ (make deb), spack/ (a repository of Spack), Containerfile.  packaging/README.
EXTRA_DIST += \
  %D%/Containerfile \
  %D%/README \
  %D%/debian/changelog \
  %D%/debian/control \
  %D%/debian/copyright \
  %D%/debian/rules \
  %D%/debian/source/format \
  %D%/debian/upstream/metadata \
  %D%/debian/wilson.lintian-overrides \
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
clean-local:
	-rm -rf debian.build
