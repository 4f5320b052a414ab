# doc/ - the manual, a page a topic: append to dist_doc_DATA.
dist_doc_DATA += \
  %D%/scenario-keys.md
