"""Screens as a picture that moves, by style sheets alone."""

from xml.sax.saxutils import escape

# Of a character, in pixels.
WIDTH, HEIGHT = 8.4, 18
MARGIN = 12
GROUND, TEXT = "#14181d", "#e8ecf0"
# The colours of a terminal by their names in pyte.
COLOURS = {
    "black": "#14181d", "red": "#ff8f80", "green": "#4fd09a", "brown": "#e69f00", "blue": "#56b4e9", "magenta": "#d7a0ff", "cyan": "#66d9e8", "white": "#e8ecf0",
    "brightblack": "#8a949e", "brightred": "#ff8f80", "brightgreen": "#4fd09a", "brightbrown": "#f0c040", "brightblue": "#8accf5", "brightmagenta": "#e0b8ff",
    "brightcyan": "#8ae6f0", "brightwhite": "#ffffff",
}


def colour(name, otherwise):
    if name == "default":
        return otherwise
    return COLOURS.get(name, f"#{name}")


def look(character):
    """The colours and the weight of a character."""
    front, back = colour(character.fg, TEXT), colour(character.bg, GROUND)
    return (back, front, character.bold) if character.reverse else (front, back, character.bold)


def runs(row):
    """The pieces of a row that look alike: where each begins, its text and its look."""
    begin = 0
    for x in range(1, len(row) + 1):
        if x == len(row) or look(row[x]) != look(row[begin]):
            yield begin, "".join(character.data for character in row[begin:x]), look(row[begin])
            begin = x


def painted(row, y):
    """One row."""
    pieces = []
    for x, text, (front, back, bold) in runs(row):
        left, width = x * WIDTH, len(text) * WIDTH
        if back != GROUND:
            pieces.append(f'<rect x="{left:.1f}" y="{y}" width="{width:.1f}" height="{HEIGHT}" fill="{back}"/>')
        if text.strip():
            shown = text.rstrip()
            ink = "" if front == TEXT else f' fill="{front}"'
            weight = ' font-weight="bold"' if bold else ""
            # The width is said, because fonts differ.
            length = f' textLength="{len(shown) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
            pieces.append(f'<text x="{left:.1f}" y="{y + 14}"{ink}{weight}{length} xml:space="preserve">{escape(shown)}</text>')
    return "".join(pieces)


def frame(number, rows, cursor):
    """One screen."""
    body = "".join(painted(row, y * HEIGHT) for y, row in enumerate(rows))
    if cursor:
        x, y = cursor
        body += f'<rect x="{x * WIDTH:.1f}" y="{y * HEIGHT}" width="{WIDTH}" height="{HEIGHT}" fill="{TEXT}" opacity="0.6"/>'
    return f'<g class="screen" id="s{number}">{body}</g>'


def moving(title, screens):
    """Screens, each with the seconds that it stays, as one picture. Who wants no motion sees the last one."""
    total = sum(seconds for _, _, seconds in screens)
    columns, rows = len(screens[0][0][0]), len(screens[0][0])
    width, height = columns * WIDTH + 2 * MARGIN, rows * HEIGHT + 2 * MARGIN
    style = [f"text{{font:14px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;fill:{TEXT}}}", ".screen{visibility:hidden}", f"#s{len(screens) - 1}{{visibility:visible}}"]
    motion, at = [], 0.0
    for number, (_, _, seconds) in enumerate(screens):
        start, end = 100 * at / total, 100 * (at + seconds) / total
        at += seconds
        steps = "" if number == 0 else "0%{visibility:hidden}"
        steps += f"{start:.2f}%{{visibility:visible}}"
        steps += "100%{visibility:visible}" if number == len(screens) - 1 else f"{end:.2f}%,100%{{visibility:hidden}}"
        motion.append(f"@keyframes k{number}{{{steps}}}#s{number}{{animation:k{number} {total:.1f}s step-end infinite}}")
    style.append(f"@media(prefers-reduced-motion:no-preference){{{''.join(motion)}}}")
    # A fill as an attribute is weaker than a style, so pieces with a colour of their own name it as a style.
    body = "".join(frame(number, rows_, cursor) for number, (rows_, cursor, _) in enumerate(screens)).replace(' fill="#', ' style="fill:#')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" width="{width:.0f}" height="{height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title><style>{''.join(style)}</style>"
        f'<rect width="100%" height="100%" rx="8" style="fill:{GROUND}"/><g transform="translate({MARGIN},{MARGIN})">{body}</g></svg>\n'
    )
