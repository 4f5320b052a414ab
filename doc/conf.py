# doc/conf.py - how Sphinx makes the manual in HTML from the pages of this folder.  `make html` calls it with -D release=VERSION.
# WILSON_GALLERY is the folder of the pictures that `make gallery` draws; without it the gallery has its table alone, and the page of streamers no films.
# pylint: disable=invalid-name,missing-module-docstring
import os

project = "Wilson"
author = "the authors of Wilson"
release = version = "0"
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns = ["gallery/table.md", "html", "html.trees"]
myst_heading_anchors = 4
language = "en"

html_theme = "alabaster"
html_theme_options = {"page_width": "76em", "sidebar_width": "16em", "fixed_sidebar": True, "font_size": "15px"}
html_sidebars = {"**": ["about.html", "searchbox.html", "navigation.html", "relations.html"]}
html_show_sourcelink = False
html_copy_source = False
html_use_index = False
html_show_copyright = False
highlight_language = "none"
smartquotes = False

pictures = os.environ.get("WILSON_GALLERY", "")
html_extra_path = [pictures] if pictures and os.path.isdir(pictures) else []


def titles(app, config):
    """The version stands in the title of every page."""
    config.version = config.release
    config.html_title = f"Wilson {config.release}"


def image(name):
    return f'<p><img src="{name}" alt="{name}" style="max-width: 100%"></p>\n'


def gallery(app, docname, source):
    """The pictures of the gallery, and the films of the scenarios of streamers below their headings, if there are any."""
    if docname == "gallery" and html_extra_path:
        found = sorted(f for f in os.listdir(pictures) if f.startswith("gallery-") and f.endswith(".png"))
        source[0] += "\n\n" + "\n".join(image(f) for f in found)
    if docname == "streamers" and html_extra_path:
        lines = []
        for line in source[0].split("\n"):
            lines.append(line)
            film = "streamer-" + line[3:].split(":")[0] + ".gif"
            if line.startswith("## ") and os.path.exists(os.path.join(pictures, film)):
                lines += ["", image(film)]
        source[0] = "\n".join(lines)


def setup(app):
    app.connect("config-inited", titles)
    app.connect("source-read", gallery)
