//! `docs/GAMES.md` is what the registry says; `GRUNDY_REGENERATE=1` rewrites it.

use std::fmt::{self, Write as _};
use std::path::PathBuf;

use grundy_shared::Position;
use grundy_shared::games::{GameInfo, REGISTRY};
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};
use grundy_shared::theory::compound::Compound;

const HEAD: &str = "<!-- generated from the registry by `GRUNDY_REGENERATE=1 cargo test -p grundy-shared --test protocol` -->

# The games

Every game can be played online or locally, solved, explained and reviewed. `grundy rules show NAME` prints the same in a terminal;
[LEARN.md](LEARN.md) teaches the theory of each family of games, [NOTATION.md](NOTATION.md) describes positions and moves in general, and
[ADDING_A_GAME.md](ADDING_A_GAME.md) how to add a game.
Combine components with `+`; a word at the end says how they are played together, and `@misere` reverses the end rule: the player who
makes the last move loses.
";

/// What the solver does not reach, and why.
const NOT_SOLVED: &str = include_str!("not_solved.md");

fn page() -> Result<String, fmt::Error> {
    let mut page = format!("{HEAD}\n| combined | rule |\n|---|---|\n");
    for compound in [Compound::Sum].into_iter().chain(Compound::NAMED) {
        let word = match compound {
            Compound::Sum => "nothing but `+`".to_owned(),
            named => format!("`@{}`", named.word()),
        };
        writeln!(page, "| {word} | {} |", compound.rule())?;
    }
    writeln!(
        page,
        "\n{} Coloured and loopy components can be played in all of these but `@zero`.",
        Compound::WITH_SIDES
    )?;
    writeln!(page, "\n| game | name | rule |\n|---|---|---|")?;
    for info in REGISTRY {
        let first = info.rule.split_inclusive(['.', ';']).next();
        let short = first.unwrap_or(info.rule).trim_end_matches(['.', ';']);
        writeln!(
            page,
            "| [`{}`](#{}) | {} | {} |",
            info.name,
            anchor(info),
            info.title,
            cell(short)
        )?;
    }
    for info in REGISTRY {
        section(&mut page, info)?;
    }
    page.push_str(NOT_SOLVED);
    Ok(page)
}

/// What a page of Markdown makes of the heading.
fn anchor(info: &GameInfo) -> String {
    let heading = format!("{} {}", info.name, info.title);
    let kept = heading
        .chars()
        .filter(|c| c.is_alphanumeric() || *c == ' ' || *c == '-');
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Without what would end a cell.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn section(page: &mut String, info: &GameInfo) -> fmt::Result {
    writeln!(
        page,
        "\n## `{}` {}\n\n{}\n",
        info.name, info.title, info.rule
    )?;
    writeln!(page, "| | |\n|---|---|")?;
    let rows = [
        ("position", info.notation),
        ("move", info.move_notation),
        ("method", info.method),
        ("cost", info.complexity),
        ("limits", info.limits),
        ("source", info.source),
    ];
    for (name, text) in rows {
        writeln!(page, "| {name} | {} |", cell(text))?;
    }
    writeln!(page, "\n```text")?;
    for example in info.examples {
        writeln!(page, "{example:<32} {}", verdict(example))?;
    }
    writeln!(page, "```")
}

/// In one line: `N, value 4, wins by B-4`.
fn verdict(example: &str) -> String {
    let position = Position::parse(example).expect("an example is a position");
    let solution = solve(&position, Seat::First, &Budget::nodes(1 << 28), 1);
    let solution = serde_json::to_value(&solution).expect("a solution is JSON");
    let mut text = solution["outcome"].as_str().unwrap_or_default().to_owned();
    if let Some(value) = solution["nim_value"].as_u64() {
        text.push_str(&format!(", value {value}"));
    }
    if let Some(value) = solution["value"].as_str() {
        text.push_str(&format!(", value {value}"));
    }
    if let Some(mv) = solution["winning_moves"][0]["move"].as_str() {
        text.push_str(&format!(", wins by {mv}"));
    }
    text
}

#[test]
fn the_page_is_what_the_registry_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/GAMES.md");
    let page = page().expect("a String takes all");
    if std::env::var_os("GRUNDY_REGENERATE").is_some() {
        std::fs::write(&path, &page).expect("docs/ can be written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == page,
        "docs/GAMES.md is stale: run GRUNDY_REGENERATE=1 cargo test -p grundy-shared --test protocol"
    );
}

/// The list of games cuts a rule after its first sentence, and a match shows it without the last, since the position states the end rule.
#[test]
fn every_rule_ends_with_who_wins() {
    for info in REGISTRY {
        let (moves, winner) = info.rule.split_once(" The player who ").expect(info.name);
        assert!(moves.ends_with('.'), "{}", info.name);
        assert!(!winner.contains(". "), "{}: {winner}", info.name);
    }
}
