"""Views of a page: every width, light and dark, in each language."""

import re
import sys

from axe_playwright_python.sync_playwright import Axe

# All of them, and a few for pages that differ little.
EVERY = {"light": (320, 390, 768, 1280, 1600), "dark": (320, 390, 768, 1280, 1600)}
SOME = {"light": (320, 1280), "dark": (320,)}

# Words that a Chinese page may have: names, notation, commands.
FOREIGN = re.compile(r"[A-Za-z]{2,}")
POSITION = re.compile(r"[a-z]+[0-9.\-/>]*:\S+")
ALLOWED = {"Grundy", "English", "misere", "nim", "kayles", "random", "guest", "WebSocket", "Cookie", "SG", "Anti", "log", "Every", "Nim", "NimK", "Multi", "Elo", "Python", "my", "token", "program", "perfect", "Bob"}
# What FIDE calls the ways to break ties.
ALLOWED |= {"PTS", "DE", "BH", "SB", "WIN", "WON", "PS"}
# What games are called that have no Chinese name of their own.
ALLOWED |= {"Hackenbush", "Col", "Snort", "Cram", "Domineering", "Clobber", "Chomp", "Notakto"}

VISIBLE_TEXT = """() => {
  // The other languages call themselves what they are called.
  const skipped = 'code, bdi, .notation, svg, script, style, noscript, option, cite, a[hreflang], #history, #moves, #choices, #link';
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.closest(skipped)) texts.push(node.textContent);
  }
  // What is not on the screen is read aloud, or shown to who points at it.
  for (const name of ['aria-label', 'title', 'placeholder', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      if (!element.closest('code, #history, #moves, #choices')) texts.push(element.getAttribute(name));
    }
  }
  return texts.join(' ');
}"""


class Views:
    """Looks at pages and counts what is wrong with them."""

    def __init__(self, browser, shots):
        self.browser = browser
        self.shots = shots
        self.pages = self.views = self.violations = self.sideways = self.slips = 0

    def look(self, page, name, views=EVERY):
        """Looks at a page that is open in these sizes and schemes."""
        self.pages += 1
        size = page.viewport_size
        for scheme, widths in views.items():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            for width in widths:
                page.set_viewport_size({"width": width, "height": 900})
                self.views += 1
                found = Axe().run(page)
                self.violations += found.violations_count
                if found.violations_count:
                    print(f"{name} {scheme} {width}: {found.generate_report()}", file=sys.stderr)
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    print(f"{name} scrolls sideways at {width}", file=sys.stderr)
                    self.sideways += 1
                if self.shots and width in (320, 1280):
                    self.shots.mkdir(parents=True, exist_ok=True)
                    page.screenshot(path=self.shots / f"{name}-{scheme}-{width}.png", full_page=True)
        page.set_viewport_size(size)
        if page.evaluate("document.documentElement.lang") == "zh-CN":
            self.is_chinese(page, name)

    def is_chinese(self, page, name):
        """No English word but names, notation and commands."""
        text = POSITION.sub(" ", page.evaluate(VISIBLE_TEXT))
        foreign = set(FOREIGN.findall(text)) - ALLOWED
        if foreign:
            self.slip(f"{name} in Chinese has the words {sorted(foreign)}")

    def slip(self, words):
        """Something else is wrong."""
        print(words, file=sys.stderr)
        self.slips += 1
