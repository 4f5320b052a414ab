# doc/ - the manual, a page a topic: append to dist_doc_DATA.
dist_doc_DATA += \
  %D%/cross-sections.md \
  %D%/gpu.md \
  %D%/output.md \
  %D%/physics.md \
  %D%/plasma.md \
  %D%/reliability.md \
  %D%/running.md \
  %D%/scenario-keys.md
