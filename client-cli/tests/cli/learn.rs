//! `docs/LEARN.md` and the pages below it: each command on them prints what follows it, each game in a table was played by the rules, and
//! its winners are those that the solver finds. `GRUNDY_REGENERATE=1` writes the outputs and the tables again.

use std::path::{Path, PathBuf};
use std::{env, fs};

use grundy_shared::Position;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};
use grundy_shared::theory::compound::Compound;

use crate::program::Home;

const PROMPT: &str = "$ grundy ";
const TABLE_HEAD: &str = "| player | move | leaves | winner |";

fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs")
}

/// The pages of the families, by their names.
fn pages() -> Vec<(String, String)> {
    let folder = fs::read_dir(docs().join("learn")).expect("docs/learn is there");
    let mut pages: Vec<_> = folder
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").to_string_lossy();
            let text = fs::read_to_string(&path).expect("a text");
            (name.into_owned(), text)
        })
        .collect();
    pages.sort();
    pages
}

/// A section of a page, without its heading.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let start = page.split_once(&format!("\n## {heading}\n"));
    let (_, rest) = start.unwrap_or_else(|| panic!("no section {heading}"));
    rest.split("\n## ").next().unwrap_or(rest)
}

/// The page with every output and every table as the program makes them.
fn made_again(page: &str, home: &Home) -> String {
    let mut made = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        made.push_str(line);
        made.push('\n');
        if let Some(command) = line.strip_prefix(PROMPT) {
            while lines
                .next_if(|line| *line != "```" && !line.starts_with(PROMPT))
                .is_some()
            {}
            made.push_str(&output(command, home));
        } else if line == TABLE_HEAD {
            made.push_str(&format!("{}\n", lines.next().expect("a ruler")));
            let mut rows = Vec::new();
            while let Some(row) = lines.next_if(|line| line.starts_with('|')) {
                rows.push(row);
            }
            made.push_str(&played(&rows));
        }
    }
    made
}

/// What a command prints, with an empty line before a command that follows.
fn output(command: &str, home: &Home) -> String {
    let mut words: Vec<&str> = command
        .split(' ')
        .map(|word| word.trim_matches('\''))
        .collect();
    // On a busy machine the five seconds that it has otherwise may not suffice.
    if ["explain", "solve"].contains(&words[0]) {
        words.extend(["--budget", "120s"]);
    }
    let ran = home.run(&words);
    assert_eq!(ran.code, Some(0), "{command}: {ran:?}");
    let lines = ran.stdout.lines().map(|line| line.trim_end().to_owned());
    lines.map(|line| line + "\n").collect()
}

/// The rows of a game: of the first row the position is taken, of the others the move.
fn played(rows: &[&str]) -> String {
    let cell = |row: &str, number: usize| {
        let cell = row.split('|').nth(number + 1).unwrap_or_default();
        cell.trim_matches([' ', '`']).to_owned()
    };
    let start = cell(rows.first().expect("a start"), 2);
    let mut position = Position::parse(&start).unwrap_or_else(|_| panic!("{start}"));
    let mut mover = Seat::First;
    let mut text = format!("|  |  | `{position}` | {} |\n", winner(&position, mover));
    for row in &rows[1..] {
        let mv = cell(row, 1);
        let mv = position.parse_move(mover, &mv);
        let mv = mv.unwrap_or_else(|error| panic!("{position}: {row}: {error:?}"));
        position = position.play(&mv);
        let player = named(Some(mover));
        mover = mover.other();
        let winner = winner(&position, mover);
        text.push_str(&format!(
            "| {player} | `{mv}` | `{position}` | {winner} |\n"
        ));
    }
    assert!(
        position.is_over(mover),
        "a game is shown to its end: {text}"
    );
    text
}

fn winner(position: &Position, mover: Seat) -> &'static str {
    let solution = solve(position, mover, &Budget::nodes(1 << 22), 1);
    assert!(solution.exact, "{position}");
    named(solution.outcome.winner(mover))
}

fn named(seat: Option<Seat>) -> &'static str {
    match seat {
        Some(Seat::First) => "first",
        Some(Seat::Second) => "second",
        None => "nobody",
    }
}

#[test]
fn what_the_lessons_show_is_what_the_program_prints() {
    let home = Home::new();
    for (name, page) in pages() {
        let made = made_again(&page, &home);
        if env::var_os("GRUNDY_REGENERATE").is_some() {
            let path = docs().join("learn").join(&name);
            fs::write(path, &made).expect("the page can be written");
        } else {
            assert!(
                page == made,
                "docs/learn/{name} is stale: run GRUNDY_REGENERATE=1 cargo test -p grundy-cli --test cli learn\n{made}"
            );
        }
    }
}

/// The winners in the rows of each table of a section, which has at least one.
fn winners(section: &str) -> Vec<Vec<String>> {
    let tables: Vec<_> = section.split(TABLE_HEAD).skip(1).collect();
    assert!(!tables.is_empty(), "no table: {section}");
    let winner = |row: &str| {
        let cells = row.trim_end_matches([' ', '|']);
        cells.rsplit(' ').next().map(str::to_owned)
    };
    let rows = |table: &str| {
        let rows = table.lines().skip(2).take_while(|row| row.starts_with('|'));
        rows.filter_map(winner).collect()
    };
    tables.into_iter().map(rows).collect()
}

#[test]
fn every_lesson_has_all_its_parts() {
    let index = fs::read_to_string(docs().join("LEARN.md")).expect("docs/LEARN.md is there");
    for (name, page) in pages() {
        assert!(index.contains(&format!("](learn/{name})")), "{name}");
        assert!(
            section(&page, "Rule").contains("$ grundy rules show "),
            "{name}"
        );
        assert!(section(&page, "Idea").len() > 300, "{name}");
        for won in winners(section(&page, "A win")) {
            assert!(
                won.iter().all(|winner| winner == "first"),
                "{name}: {won:?}"
            );
        }
        for lost in winners(section(&page, "A loss")) {
            assert_eq!(lost.first().map(String::as_str), Some("first"), "{name}");
            assert_eq!(lost.last().map(String::as_str), Some("second"), "{name}");
            assert!(
                lost.len() > 4,
                "{name}: four moves or more, to show why it is lost"
            );
        }
        let exercises = section(&page, "Exercises");
        let answers = section(&page, "Answers");
        for number in 1..=3 {
            assert!(
                exercises.contains(&format!("\n{number}. ")),
                "{name} {number}"
            );
        }
        assert!(answers.matches("$ grundy solve ").count() >= 3, "{name}");
    }
}

/// Whether the page solves, draws or plays a position of this game.
fn shows(page: &str, game: &str) -> bool {
    let of_game = |text: &str| {
        let rest = text.strip_prefix(game);
        rest.is_some_and(|rest| rest.starts_with([':', '.']))
    };
    page.lines().any(|line| match line.strip_prefix(PROMPT) {
        Some(command) => command.split(' ').any(|word| of_game(word) || word == game),
        None => line.starts_with("| ") && line.split(['|', '`']).any(of_game),
    })
}

#[test]
fn every_game_of_the_registry_has_its_place_in_a_lesson() {
    let index = fs::read_to_string(docs().join("LEARN.md")).expect("docs/LEARN.md is there");
    let pages = pages();
    for game in REGISTRY {
        let row = index
            .lines()
            .find(|row| row.starts_with("| [") && row.contains(&format!("`{}`", game.name)))
            .unwrap_or_else(|| panic!("docs/LEARN.md does not list {}", game.name));
        let shown = pages.iter().any(|(name, page)| {
            row.contains(&format!("](learn/{name})")) && shows(page, game.name)
        });
        assert!(shown, "the lesson of {} shows no position of it", game.name);
    }
}

#[test]
fn every_compound_and_end_rule_has_its_place_in_a_lesson() {
    let lessons: String = pages().into_iter().map(|(_, page)| page).collect();
    let commands = lessons.lines().filter_map(|line| line.strip_prefix(PROMPT));
    let words: Vec<&str> = commands.flat_map(|command| command.split(' ')).collect();
    let compounds = Compound::NAMED.iter().map(|compound| compound.word());
    for word in compounds.chain(["misere", "zero@misere"]) {
        let rule = format!("@{word}");
        let shown = words.iter().any(|position| position.ends_with(&rule));
        assert!(shown, "no lesson solves a position with {rule}");
    }
}
