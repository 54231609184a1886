"""Plays the session of the README and writes it down. See scripts/record-session."""

import pathlib
import sys
import tempfile

from picture import moving
from terminal import Terminal

TITLE = "A match of Nim on the full screen: a hint, a mistake, the reason why it is one, the move taken back, and a better hint"
# What is typed, the words that the screen has then, and how long both stay, in seconds. After the mistake only one move wins, so the bot plays it.
SESSION = (
    ("hint", "You can win", 2.5),
    ("A-2", "Your move", 2.5),
    ("why", "The player to move loses", 6.0),
    ("undo", "A  3", 2.0),
    ("hint", "You can win", 2.0),
    ("hint", "Write the values in binary", 5.0),
)


def main():
    program, file = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as home:
        terminal = Terminal([str(program), "play", "nim:3,5,7", "--local", "--side", "first", "--bot", "perfect", "--no-record"], home)
        screens = [(*terminal.until("Your move"), 1.5)]
        for typed, words, seconds in SESSION:
            terminal.type(typed)
            screens.append((*terminal.until(typed), 0.7))
            terminal.type("\r")
            screens.append((*terminal.until(words), seconds))
        terminal.close()
    file.write_text(moving(TITLE, screens))
    print(f"{file}: {file.stat().st_size} bytes, {len(screens)} screens")


main()
