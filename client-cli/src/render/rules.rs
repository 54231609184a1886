//! The games as text.

use std::fmt::Write as _;

use grundy_shared::Position;
use grundy_shared::games::GameInfo;
use grundy_shared::theory::compound::Compound;
use grundy_shared::theory::heap_values::HeapValues;

use super::board::{Frame, draw};
use super::columns;

/// The games, one per line, cut to the width of the screen.
pub(crate) fn list(games: &[&GameInfo], width: Option<usize>) -> String {
    let rows: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let first_sentence = game.rule.split_inclusive('.').next().unwrap_or(game.rule);
            let example = game.examples.first().copied().unwrap_or_default();
            vec![
                game.name.to_owned(),
                example.to_owned(),
                first_sentence.to_owned(),
            ]
        })
        .collect();
    let list = columns(&["game", "example", "rule"], &rows);
    let lines: Vec<String> = list.lines().map(|line| cut(line, width) + "\n").collect();
    format!(
        "{}\nCombine games with +, and add a word for how they are played together:\n\n{}\nWith @misere at the end, the player who makes the last move loses.\n",
        lines.concat(),
        compounds(),
    )
}

/// The ways to play components together, one line each.
fn compounds() -> String {
    let rows: Vec<Vec<String>> = std::iter::once(Compound::Sum)
        .chain(Compound::NAMED)
        .map(|compound| {
            let word = match compound {
                Compound::Sum => "+".to_owned(),
                named => format!("@{}", named.word()),
            };
            vec![word, compound.rule().to_owned()]
        })
        .collect();
    columns(&["combined", "rule"], &rows)
}

/// A line that fits, cut between words.
fn cut(line: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX).max(20);
    if line.chars().count() <= width {
        return line.to_owned();
    }
    let fits = line.floor_char_boundary(width - 3);
    let end = line[..fits].rfind(' ').unwrap_or(fits);
    format!("{}...", &line[..end])
}

/// The rule of a game, before the drawing of its first example.
pub(crate) fn head(game: &GameInfo) -> String {
    format!("{} ({})\n\n{}\n\n", game.title, game.name, game.rule)
}

/// The board of a game's first example.
pub(crate) fn board(game: &GameInfo, frame: Frame) -> Option<String> {
    let example = game.examples.first()?;
    let position = Position::parse(example).ok()?;
    Some(format!(
        "{example}\n\n{}\n",
        draw(&position, frame).coloured()
    ))
}

/// What else is known of a game.
pub(crate) fn details(game: &GameInfo) -> String {
    let example = game.examples.first().copied().unwrap_or_default();
    format!(
        "Position  {notation}\nMove      {moves}\nExamples  {examples}\n\
         Method    {method}\nCost      {cost}\nLimits    {limits}\nSource    {source}\n\n\
         Add @misere to a position, and the player who makes the last move loses. Combine positions with + to play them as one (`grundy rules list` shows how).\n\n\
         Try: grundy play {example} --local\n     grundy solve {example}\n",
        notation = game.notation,
        moves = game.move_notation,
        examples = game.examples.join("  "),
        method = game.method,
        cost = game.complexity,
        limits = game.limits,
        source = game.source,
    )
}

/// What is proved of the values of one heap.
pub(crate) fn period(game: &str, values: &HeapValues) -> String {
    let mut text = match values.period {
        Some(period) => format!(
            "{game}: period {} from heap {}, proved\n",
            period.length, period.start
        ),
        None => format!("{game}: no period is proved\n"),
    };
    let checked = values.computed.saturating_sub(1);
    writeln!(text, "values computed up to heap {checked}")
        .expect("writing to a String cannot fail");
    if let Some(largest) = values.largest() {
        writeln!(text, "largest value {largest}").expect("writing to a String cannot fail");
    }
    text
}
