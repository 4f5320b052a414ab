#!/usr/bin/env python3
"""The pages of the manual: what t/manual/t0920-pages.t checks of them.

    pages.py check TOP            TAP: pages are reachable from doc/index.md, links and anchors resolve, long pages have contents
    pages.py contents FILE...     writes the list under "## Contents" of the files anew
    pages.py html FOLDER          links of HTML to files, and to anchors, that are not there: printed, and status 1
    pages.py figures TOP          writes the table of bench/RESULTS.md that has what bench/guard recorded anew, from bench/guard.best
    pages.py words TOP            the words of all pages that are no code, one a line, FILE:LINE:word

Anchors are those that GitHub and myst-parser make of headings.  Only the standard library is used.
"""
import os
import re
import sys

LONGEST = 600
FENCE = re.compile(r"^(\s*)(```+|~~~+)(.*)$")
LINK = re.compile(r"(?<!!)\[((?:[^][`]|`[^`]*`|\[[^]]*\])+)\]\(([^()\s]+(?:\([^()]*\))?)\)")


def anchor(title):
    title = re.sub(r"\]\([^)]*\)", "", title).replace("[", "").replace("`", "")
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Page:
    def __init__(self, top, name):
        self.name = name
        with open(os.path.join(top, name), encoding="utf-8") as f:
            self.lines = f.read().split("\n")
        if self.lines[-1] == "":
            self.lines.pop()
        self.headings, self.text, self.tree, self.included = [], [], [], []
        fence, kind = None, ""
        for n, line in enumerate(self.lines, 1):
            m = FENCE.match(line)
            if fence is None and m:
                fence, kind = m.group(2), m.group(3).strip()
                if kind.startswith("{include} "):
                    self.included.append(kind.split()[1])
            elif fence is not None:
                if m and m.group(2).startswith(fence) and not m.group(3).strip():
                    fence = None
                elif kind == "{toctree}" and line.strip() and not line.startswith(":"):
                    self.tree.append((n, line.strip()))
            elif line.startswith("    ") and not self.in_list(n):
                pass  # an indented block is code
            else:
                self.text.append((n, line))
                m = re.match(r"(#{1,4}) +(.*)$", line)
                if m:
                    self.headings.append((n, len(m.group(1)), m.group(2).strip()))
        self.unclosed = fence is not None
        self.anchors = [anchor(h) for _, _, h in self.headings]

    def in_list(self, n):
        """Line n, counted from 1, continues an entry of a list."""
        for line in reversed(self.lines[:n - 1]):
            if line and not line.startswith(" "):
                return bool(re.match(r"[-*] |\d+\. ", line))
        return False

    def links(self):
        """(line, target) of every link; a link may go over the end of a line."""
        whole, starts = "", []
        for n, line in self.text:
            starts.append((len(whole), n))
            whole += line + "\n"
        for m in LINK.finditer(whole):
            yield max(n for at, n in starts if at <= m.start()), m.group(2)

    def contents(self):
        """(line, anchor) of the links under the heading Contents, or None."""
        for i, (n, _, title) in enumerate(self.headings):
            if title == "Contents":
                end = self.headings[i + 1][0] if i + 1 < len(self.headings) else len(self.lines) + 1
                return [(at, to[1:]) for at, to in self.links() if n < at < end and to.startswith("#")]
        return None


def names(top):
    found = ["bench/RESULTS.md"]
    for folder, _, files in os.walk(os.path.join(top, "doc")):
        found += [os.path.relpath(os.path.join(folder, f), top) for f in files if f.endswith(".md")]
    return sorted(found)


def pages_of(top):
    return {name: Page(top, name) for name in names(top)}


def resolve(page, to):
    path, _, at = to.partition("#")
    return os.path.normpath(os.path.join(os.path.dirname(page), path)) if path else page, at


def check(top):
    pages = pages_of(top)
    done = []

    def report(bad, what):
        done.append(bool(bad))
        print(f"{'not ok' if bad else 'ok'} {len(done)} - {what}")
        for line in bad[:20]:
            print(f"# {line}")

    report([p for p in pages.values() if p.unclosed and print(f"# {p.name}") is None], "every block of code is closed")

    bad = []
    for page in pages.values():
        for line, to in page.links():
            if re.match(r"[a-z]+:", to):
                continue
            path, at = resolve(page.name, to)
            if not os.path.exists(os.path.join(top, path)):
                bad.append(f"{page.name}:{line}: {to}: there is no file {path}")
            elif at and path in pages and at not in pages[path].anchors:
                bad.append(f"{page.name}:{line}: {to}: {path} has no heading for it")
            elif at and path not in pages:
                bad.append(f"{page.name}:{line}: {to}: {path} is no page of the manual")
    report(bad, "every link and anchor resolves")

    # `make install` has what the pages that it has link to.
    with open(os.path.join(top, "doc/local.mk"), encoding="utf-8") as f:
        lists = re.findall(r"^dist_[a-z]*_DATA \+?=((?:.*\\\n)*.*)$", f.read(), re.M)
    installed = {"doc/" + name for text in lists for name in re.findall(r"%D%/(\S+)", text)}
    bad = [f"{p}: not in a list of doc/local.mk that is installed" for p in pages if p.startswith("doc/") and p not in installed]
    for page in (pages[p] for p in pages if p in installed):
        to = [resolve(page.name, to)[0] for _, to in page.links() if not re.match(r"[a-z]+:", to)]
        bad += [f"{page.name}: {path} is not installed" for path in to if re.match(r"doc/.*\.(md|ipynb)$", path) and path not in installed]
    report(bad, "every page is installed, and what it links to")

    # By links, and by the tree of Sphinx; both have every page.
    index = "doc/index.md"
    seen, todo = {index}, [index]
    while todo:
        page = todo.pop()
        for to in [to for _, to in pages[page].links()] + pages[page].included:
            path, _ = resolve(page, to)
            if path in pages and path not in seen:
                seen.add(path)
                todo.append(path)
    report([f"{p}: no chain of links from {index}" for p in pages if p not in seen], "every page is reachable from doc/index.md")
    tree, todo = {index}, [index]
    bad = []
    while todo:
        page = todo.pop()
        for line, to in pages[page].tree:
            path = os.path.normpath(os.path.join(os.path.dirname(page), to + ".md"))
            if path not in pages:
                bad.append(f"{page}:{line}: the tree has {to}, and there is no {path}")
            elif path not in tree:
                tree.add(path)
                todo.append(path)
    bad += [f"{p}: in no toctree" for p in pages if p.startswith("doc/") and p not in tree and not p.startswith("doc/gallery/")]
    report(bad, "every page is in the tree of contents")

    bad = []
    for page in pages.values():
        seen = set()
        for (line, _, title), at in zip(page.headings, page.anchors):
            if at in seen:
                bad.append(f"{page.name}:{line}: a second heading with the anchor {at} ({title})")
            seen.add(at)
    report(bad, "no anchor of a page is there twice")

    bad = []
    for page in pages.values():
        listed = page.contents()
        if listed is None:
            if len(page.lines) > LONGEST:
                bad.append(f"{page.name}: {len(page.lines)} lines and no contents")
            continue
        listed = {at for _, at in listed}
        bad += [f"{page.name}:{n}: {title} is not in the contents" for n, level, title in page.headings
                if level == 2 and title != "Contents" and anchor(title) not in listed]
    report(bad, f"pages of more than {LONGEST} lines have contents, and contents have every section")

    report(figures(top, pages["bench/RESULTS.md"]), "figures of bench/RESULTS.md stand in bench/guard.best, or in the section that they name")

    with open(os.path.join(top, "doc/scenarios.md"), encoding="utf-8") as f:
        listed = set(re.findall(r"`([\w-]+\.cfg)`", f.read()))
    there = {f for f in os.listdir(os.path.join(top, "data/scenarios")) if f.endswith(".cfg")}
    report([f"data/scenarios/{f}: not in doc/scenarios.md" for f in sorted(there - listed)] +
           [f"doc/scenarios.md: there is no {f}" for f in sorted(listed - there)], "doc/scenarios.md has every scenario")

    bad = [f"{page.name}: begins with no title, or has another" for page in pages.values()
           if not page.name.startswith("doc/gallery/") and [lv for _, lv, _ in page.headings].count(1) != 1]
    report(bad, "every page has one title")
    print(f"1..{len(done)}")
    return any(done)


def recorded(top):
    """(name, device): value, unit and date of bench/guard.best."""
    best = {}
    with open(os.path.join(top, "bench/guard.best"), encoding="utf-8") as f:
        for line in f:
            m = re.match(r"(\S+) +(\S+) +(\S+) +(\S.*\S)  +(\S+)  +(\S+)$", line)
            if m and not line.startswith("#"):
                best[m.group(1), m.group(4)] = f"{m.group(2)} {m.group(3)} ({m.group(5)})"
    return best


def write_figures(top):
    page, best, columns = Page(top, "bench/RESULTS.md"), recorded(top), []
    for n in range(*(page.lines.index(f"<!-- figures: {word} -->") for word in ("begin", "end"))):
        cells = [c.strip() for c in page.lines[n].strip("|").split("|")]
        columns = cells if cells[0] in ("name", "what") else columns
        if columns and columns[0] == "name" and cells[0].startswith("`"):
            page.lines[n] = "| " + " | ".join(cells[:2] + [best.get((cells[0].strip("`"), d), "") for d in columns[2:]]) + " |"
    with open(os.path.join(top, "bench/RESULTS.md"), "w", encoding="utf-8") as f:
        f.write("\n".join(page.lines) + "\n")


def figures(top, page):
    """Numbers of the tables between the marks "figures" that are not where the row says that they are from."""
    begin, end = (page.lines.index(f"<!-- figures: {word} -->") for word in ("begin", "end"))
    best, bad, rows, columns = recorded(top), [], 0, []
    for n in range(begin, end):
        cells = [c.strip() for c in page.lines[n].strip("|").split("|")] if page.lines[n].startswith("|") else []
        if not cells or cells[0] in ("---", "name", "what"):
            columns = cells if cells and cells[0] != "---" else columns
            continue
        rows += 1
        if columns[0] == "name":
            for device, value in zip(columns[2:], cells[2:]):
                if value != best.pop((cells[0].strip("`"), device), ""):
                    bad.append(f"bench/RESULTS.md:{n + 1}: {value or 'nothing'} of {cells[0]} on {device} is not what bench/guard.best has")
            continue
        at = re.search(r"\(#(.*)\)", cells[4]).group(1)
        first, level = next((line, lv) for (line, lv, _), a in zip(page.headings, page.anchors) if a == at)
        last = min([line for line, lv, _ in page.headings if line > first and lv <= level] + [len(page.lines) + 1])
        text = set(re.findall(r"[\d.]+(?:e[+-]?\d+)?", re.sub(r"(?<=\d)\.(?!\d)", " ", "\n".join(page.lines[first:last - 1]))))
        for number in re.findall(r"(?<![\w.])\d[\d.]*(?:e[+-]?\d+)?", cells[1]):
            if number not in text:
                bad.append(f"bench/RESULTS.md:{n + 1}: {number} is not in its section")
    return bad + [f"bench/RESULTS.md lacks {' on '.join(k)} of bench/guard.best" for k in best] + ([] if rows > 20 else ["few figures"])


def contents(name):
    page = Page(".", name)
    entries = [f"- [{title}](#{at})" for (_, level, title), at in zip(page.headings, page.anchors) if level == 2 and title != "Contents"]
    at = [n for n, _, title in page.headings if title == "Contents"]
    if at:
        after = min([n for n, _, _ in page.headings if n > at[0]] + [len(page.lines) + 1])
        lines = page.lines[:at[0] - 1] + ["## Contents", ""] + entries + [""] + page.lines[after - 1:]
    else:
        first = min(n for n, level, _ in page.headings if level == 2)
        lines = page.lines[:first - 1] + ["## Contents", ""] + entries + [""] + page.lines[first - 1:]
    with open(name, "w", encoding="utf-8") as f:
        f.write("\n".join(lines) + "\n")


def html(folder):
    found, bad = {}, []
    for at, _, files in os.walk(folder):
        for f in files:
            if f.endswith(".html"):
                with open(os.path.join(at, f), encoding="utf-8") as file:
                    text = file.read()
                found[os.path.normpath(os.path.join(at, f))] = (set(re.findall(r'\bid="([^"]+)"', text)), re.findall(r'<a [^>]*href="([^"]+)"', text))
    for name, (_, links) in found.items():
        for to in links:
            path, _, at = to.partition("#")
            target = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
            if not re.match(r"[a-z]+:", to) and (not os.path.exists(target) or (at and at not in found.get(target, (set(),))[0])):
                bad.append(f"{os.path.relpath(name, folder)}: {to}")
    print("\n".join(sorted(set(bad))[:30]))
    return bool(bad) or not found


def words(top):
    for page in pages_of(top).values():
        whole = "".join(f"\0{n}\0{line}\n" for n, line in page.text)
        whole = re.sub(r"`+[^`]*`+", lambda m: re.sub(r"[^\0\d\n]", " ", m.group(0)) if "\0" in m.group(0) else " ", whole)
        whole = LINK.sub(lambda m: f" {m.group(1)} ", whole)
        whole = re.sub(r"<?https?://\S+", " ", whole)
        n = 0
        for piece in re.split(r"\0(\d+)\0", whole):
            if piece.isdigit():
                n = int(piece)
                continue
            for token in re.findall(r"\S+", piece):
                # names, files, keys, options, formulae, chemical symbols with numbers: no words of the language
                if re.search(r"[\d_/=<>^*\\{}$@+#|~]|\w\.\w|^-|::", token.strip("*.,;:()\"'|")):
                    continue
                for word in re.findall(r"[^\W\d_]+(?:'[^\W\d_]+)?", token):
                    word = word[:-2] if word.endswith("'s") else word
                    if len(word) > 2 and not word.isupper():
                        print(f"{page.name}:{n}:{word}")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "check":
        sys.exit(check(sys.argv[2]))
    elif len(sys.argv) > 2 and sys.argv[1] == "contents":
        for each in sys.argv[2:]:
            contents(each)
    elif len(sys.argv) == 3 and sys.argv[1] == "html":
        sys.exit(html(sys.argv[2]))
    elif len(sys.argv) == 3 and sys.argv[1] == "figures":
        write_figures(sys.argv[2])
    elif len(sys.argv) == 3 and sys.argv[1] == "words":
        words(sys.argv[2])
    else:
        sys.exit(__doc__)
