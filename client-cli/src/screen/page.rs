//! `docs/SCREEN.md`: the page about the full screen, with the table of its keys.

use std::fmt::Write as _;
use std::{env, fs};

use grundy_words::{Catalogue, Language};

use super::keys::{Entry, Line, When};
use super::table::{LESSON, LOBBY, MATCH, MENU, REVIEW, TABLES, TYPING, WALK};

const HEAD: &str = "\
# The full screen

On a terminal, `grundy play`, `join`, `resume`, `watch`, `challenge` and `lobby` show a match on the full screen: the board, who plays \
whom, both clocks, how the game ends, the moves and the messages. Line mode stays as it is: `--plain`, `--json`, pipes, `--no-input` and \
a `TERM` that is `dumb` or not set use it automatically. `--screen lines` chooses it with drawings, for once, as `GRUNDY_SCREEN=lines`, \
or as `screen = \"lines\"` in the configuration. Screen readers are best served by `--plain`.

Type a move at any time, in any case, with or without spaces; every word of line mode works here, too. Nothing that you type is lost: \
what you type before your turn stays in the line, and a move that is refused comes back to be changed. Keys that you press \
before the screen opens count, too. The screen asks before it leaves a match on this computer.

The arrows choose among the legal moves while nothing is typed, and the board shows in reverse video what the move takes; Enter plays it. \
What the last move changed is underlined. \
A click on the board chooses the move that changes the clicked place and the fewest others, and a second click there plays it. \
A click on the list of moves shows the board after that move. The hints in the last line can be clicked, too. While clicks are \
read, you cannot select text in the terminal; F2 turns this off, and it is off for watchers at first.

## Sizes

| columns x lines | what is shown |
|---|---|
| 100 x 28 or more | board, moves and messages side by side |
| 80 x 24 or more | board and moves, messages below |
| 40 x 12 or more | one pane at a time: Tab goes on to the next, which the last line names |
| less | the status line, and the line that you type |

## Signs and colours

Colours are the sixteen of your terminal, on its own background, and each is doubled by a sign or a word; `NO_COLOR` and \
`--color never` leave them out. The terminal is asked for its background, and what could not be read there has another colour; \
terminals that do not answer may say it in `COLORFGBG`. Some fonts draw lines and other signs two columns wide. The program asks the terminal how wide it draws \
them, waits a tenth of a second for the answer, and uses `-` and `|` where they are wide. `--glyphs unicode`, `safe` or `ascii` \
chooses without asking.

## Keys

Letters are not commands, because they can begin a move. The last line shows the keys that are needed now; when the other player \
proposes something, `y` accepts and `n` declines. `?` shows the keys that do something in your match: type to search, Enter \
runs an entry, and Tab leads to the notation of the game. If an entry has no key, type the word.

";

const DESKS: &str = "
## Lessons, puzzles, walks, the lobby and tables

`grundy learn`, `puzzle`, `explore` and `lobby` use the full screen, too: the position on a board or the lobby as a table, what was said, \
and a line in which every word of line mode works. `grundy tournament watch` and `arena` print lines, because their output is kept; \
with `--screen full` they show the standings, the cross-table and the games as tables that change as games end, and print the \
result when you leave. The keys of the line that is typed are those above.

`grundy` without a command shows a menu: play a bot, play with a friend, puzzles, your own mistakes, the lobby, bots by strength, and settings. \
What you choose runs as its command does; Enter then returns to the menu. If no server answers, a match against a bot is played \
on this computer.
";

const REVIEWS: &str = "
## Reviews

`grundy review MATCH --screen full` walks through a review: the board after each move, who wins there with best play, the marks, and \
the reasons of the turning points. It opens at the last of them. When you leave, the review is printed as without the screen. \
`A` is the first player and `B` the second; the letter stands on the side of whoever can force the win.

";

fn page() -> String {
    let mut page = String::from(HEAD);
    list(MATCH.iter().chain(TYPING), &mut page);
    page.push_str(DESKS);
    for (heading, table) in [
        ("Lessons and puzzles", LESSON),
        ("Walks", WALK),
        ("The lobby", LOBBY),
        ("Tables", TABLES),
        ("The menu", MENU),
    ] {
        writeln!(page, "\n### {heading}\n").expect("writing to a String cannot fail");
        list(table, &mut page);
    }
    page.push_str(REVIEWS);
    list(REVIEW, &mut page);
    page
}

/// The entries of a table.
fn list<'e>(entries: impl IntoIterator<Item = &'e Entry>, page: &mut String) {
    page.push_str("| key or word | what it does | when |\n|---|---|---|\n");
    for entry in entries {
        let line = match entry.line {
            Line::Any => "",
            Line::Empty => "nothing is typed",
            Line::Typed => "something is typed",
        };
        let when = match entry.when {
            When::Always => "",
            When::Playing => "you play",
            When::Proposed => "the other player proposes something",
            When::Hints => "you play, and hints are allowed",
            When::Online => "you play on a server",
            When::Shared => "the match is on a server",
            When::Over => "the match is over",
            When::Forgettable => "the exercise is one of your deck",
            When::Unasked => "no code is asked for",
        };
        let comma = if line.is_empty() || when.is_empty() {
            ""
        } else {
            ", "
        };
        writeln!(
            page,
            "| `{}` | {} | {line}{comma}{when} |",
            entry.names(),
            Catalogue::of(Language::English).say(entry.message)
        )
        .expect("writing to a String cannot fail");
    }
}

#[test]
fn the_page_of_the_screen_has_the_keys_of_the_program() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/SCREEN.md");
    let page = page();
    if env::var_os("GRUNDY_REGENERATE").is_some() {
        fs::write(path, &page).expect("the page can be written");
    }
    let kept = fs::read_to_string(path).expect("docs/SCREEN.md is there");
    assert!(
        kept == page,
        "docs/SCREEN.md is not what the program does: run GRUNDY_REGENERATE=1 cargo test -p grundy-cli the_page"
    );
}
