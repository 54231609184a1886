//! The games as text.

use grundy_shared::Position;
use grundy_shared::games::GameInfo;
use grundy_shared::theory::compound::Compound;
use grundy_shared::theory::heap_values::HeapValues;
use grundy_words::{Catalogue, Language, Message};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::board::{Frame, draw};
use super::{columns, headings, sentences};

/// The games, one per line, cut to the width of the screen.
pub(crate) fn list(games: &[&GameInfo], width: Option<usize>, words: &Catalogue) -> String {
    let rows: Vec<Vec<String>> = games
        .iter()
        .map(|game| {
            let rule = rule(game, words);
            let first_sentence = rule.split_inclusive(['.', '\u{3002}']).next();
            let example = game.examples.first().copied().unwrap_or_default();
            vec![
                game.name.to_owned(),
                example.to_owned(),
                first_sentence.unwrap_or_default().to_owned(),
            ]
        })
        .collect();
    let list = columns(
        &headings(["list-game", "list-example", "list-rule"], words),
        &rows,
    );
    let lines: Vec<String> = list.lines().map(|line| cut(line, width) + "\n").collect();
    format!(
        "{}\n{}\n\n{}\n{}\n",
        lines.concat(),
        words.say("list-how"),
        compounds(words),
        words.say("list-misere")
    )
}

/// The ways to play components together, one line each.
fn compounds(words: &Catalogue) -> String {
    let rows: Vec<Vec<String>> = std::iter::once(Compound::Sum)
        .chain(Compound::NAMED)
        .map(|compound| {
            let (sign, name) = match compound {
                Compound::Sum => ("+".to_owned(), "sum"),
                named => (format!("@{}", named.word()), named.word()),
            };
            let rule = match words.language() {
                Language::English => compound.rule().to_owned(),
                Language::Chinese => words.say(&format!("compound-{name}")),
            };
            vec![sign, rule]
        })
        .collect();
    columns(&headings(["list-combined", "list-rule"], words), &rows)
}

/// The rule of a game.
fn rule(game: &GameInfo, words: &Catalogue) -> String {
    match words.language() {
        Language::English => game.rule.to_owned(),
        Language::Chinese => words.say(&format!("game-{}-rule", game.name)),
    }
}

/// A line that fits, cut between words, or between letters where there are no words.
fn cut(line: &str, width: Option<usize>) -> String {
    let width = width.unwrap_or(usize::MAX).max(20);
    if line.width() <= width {
        return line.to_owned();
    }
    let mut left = width - 3;
    let mut fits = 0;
    for (at, c) in line.char_indices() {
        let columns = c.width().unwrap_or(0);
        if columns > left {
            break;
        }
        left -= columns;
        fits = at + c.len_utf8();
    }
    let end = match line[fits..].starts_with(char::is_alphanumeric)
        && line[fits..].starts_with(|c: char| c.is_ascii())
    {
        true => line[..fits].rfind(' ').unwrap_or(fits),
        false => fits,
    };
    format!("{}...", line[..end].trim_end())
}

/// The rule of a game, before the drawing of its first example.
pub(crate) fn head(game: &GameInfo, words: &Catalogue) -> String {
    let title = sentences::title(game, words);
    format!("{title} ({})\n\n{}\n\n", game.name, rule(game, words))
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

/// What else is known of a game. Its method, cost and limits are described in English only.
pub(crate) fn details(game: &GameInfo, words: &Catalogue) -> String {
    let example = game.examples.first().copied().unwrap_or_default();
    let written = |english: &str, message: &str| match words.language() {
        Language::English => english.to_owned(),
        Language::Chinese => words.say(&format!("game-{}-{message}", game.name)),
    };
    let text = Message::new("details")
        .text("notation", written(game.notation, "position"))
        .text("moves", written(game.move_notation, "move"))
        .text("examples", game.examples.join("  "))
        .text("method", game.method)
        .text("cost", game.complexity)
        .text("limits", game.limits)
        .text("source", game.source)
        .text("example", example)
        .said(words);
    format!("{text}\n")
}

/// What is proved of the values of one heap.
pub(crate) fn period(game: &str, values: &HeapValues, words: &Catalogue) -> String {
    let proved = match values.period {
        Some(period) => Message::new("period-proved")
            .text("length", period.length)
            .text("start", period.start),
        None => Message::new("period-open"),
    };
    let checked = values.computed.saturating_sub(1);
    let largest = values.largest();
    let lines = [
        Some(proved.text("game", game)),
        Some(Message::new("period-checked").text("checked", checked)),
        largest.map(|largest| Message::new("period-largest").text("largest", largest)),
    ];
    let lines = lines.into_iter().flatten();
    lines.map(|line| line.said(words) + "\n").collect()
}
