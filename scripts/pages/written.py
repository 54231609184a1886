"""The pages and pictures that the program writes."""

import os
import subprocess

from views import SOME

REVIEWS = (
    ("nim", "nim:1,4,6,7 D-4 C-1 B-4 C-3 D-1 C-2 D-1 A-1 D-1"),
    ("domineering", "domineering:.../.../... 1:1-2:1 1:2-1:3 2:2-3:2"),
    ("kayles", "kayles:9,8 A-2/3,4 B-1/2,5"),
)
# Pictures are checked where people see them: in a page.
AROUND = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Picture</title>'
    "<style>svg {{ max-width: 100%; height: auto }}</style><main><h1>Picture</h1>{}</main></html>"
)


def check(views, grundy, home):
    """Has them written, and looks at each."""
    environment = os.environ | {"XDG_DATA_HOME": str(home / "data"), "XDG_CONFIG_HOME": str(home / "config"), "HOME": str(home)}

    def run(*arguments, typed=""):
        return subprocess.run([grundy, *arguments], input=typed, check=True, env=environment, text=True, stdout=subprocess.PIPE).stdout

    files = []
    for name, match in REVIEWS:
        page, picture = home / f"{name}.html", home / f"{name}.svg"
        run("review", *match.split(), "--html", str(page), "--svg", str(picture))
        files += [page, picture]
    # A career needs matches: each begins with a mistake.
    for start, moves in (("nim:1,4,6,7", "A-1"), ("kayles:9", "A-2"), ("nim:2,3", "B-3")):
        run("play", start, "--local", "--bot", "perfect", "--side", "first", typed=f"{moves}\nresign\nyes\n")
    career = home / "career.svg"
    run("stats", "player", "--svg", str(career))
    graph = home / "graph.svg"
    graph.write_text(run("graph", "nim:2,1", "--format", "svg"))
    files += [career, graph]
    # The pages allow no scripts, not even those of the check.
    context = views.browser.new_context(bypass_csp=True)
    page = context.new_page()
    for file in files:
        if file.suffix == ".svg":
            around = file.with_suffix(".svg.html")
            around.write_text(AROUND.format(file.read_text()))
            file = around
        page.goto(f"file://{file}")
        views.look(page, file.name.split(".")[0] + ("-picture" if ".svg" in file.name else ""), SOME)
    context.close()
