//! Positions, their moves and the rules of their games.

use grundy_shared::Position;
use grundy_shared::game::EndRule;
use grundy_shared::games::GameInfo;
use grundy_shared::ids::Seat;
use grundy_shared::theory::compound::Compound;
use grundy_words::{Catalogue, Language, Message, Rule};

/// Moves that `moves` lists.
const LISTED_MOVES: usize = 40;

/// Characters of a position's description that are worth reading aloud.
const DESCRIBED: usize = 600;

/// A line for each game of a position with its rule, and one for how several are played together.
pub(super) fn games(position: &Position, words: &Catalogue) -> Vec<String> {
    let rules = grundy_words::rules(position, words);
    let mut lines: Vec<String> = rules.iter().map(|rule| titled(rule, words)).collect();
    if position.component_count() > 1 {
        lines.push(compound_rule(position, words));
    }
    lines
}

/// A game with its rule.
fn titled(rule: &Rule, words: &Catalogue) -> String {
    Message::new("match-rule")
        .text("title", &rule.title)
        .text("rule", &rule.text)
        .said(words)
}

/// What a game is called.
pub(crate) fn title(game: &GameInfo, words: &Catalogue) -> String {
    match words.language() {
        Language::English => game.title.to_owned(),
        _ => words.say(&format!("game-{}", game.name)),
    }
}

/// How the games of a sum are played together.
fn compound_rule(position: &Position, words: &Catalogue) -> String {
    if words.language() == Language::English {
        return position.compound_rule();
    }
    let compound = position.compound();
    let word = match compound {
        Compound::Sum => "sum",
        named => named.word(),
    };
    let rule = words.say(&format!("compound-{word}"));
    match position.has_sides() && compound != Compound::Sum {
        true => words.sentences(&[rule, words.say("match-with-sides")]),
        false => rule,
    }
}

/// Who wins when nobody can move any more.
pub(crate) fn end_rule(position: &Position, words: &Catalogue) -> String {
    let end = match position.end_rule() {
        EndRule::Normal => "normal",
        EndRule::Misere => "misere",
    };
    Message::new("match-end-rule").text("end", end).said(words)
}

/// The position, as short as can be read. Its description is English, so that other languages have the notation.
pub(crate) fn describe(position: &Position, words: &Catalogue) -> String {
    match words.language() {
        Language::English => readable(position.describe(), words),
        _ => readable(position.to_string(), words),
    }
}

/// The position in notation, to be copied or read instead of the description.
pub(crate) fn notation(position: &Position, words: &Catalogue) -> String {
    Message::new("match-notation")
        .text("position", readable(position.to_string(), words))
        .said(words)
}

/// A text of any length, cut to a readable length.
fn readable(text: String, words: &Catalogue) -> String {
    if text.len() <= DESCRIBED {
        return text;
    }
    let end = text.floor_char_boundary(DESCRIBED);
    let end = text[..end].rfind(' ').unwrap_or(end);
    Message::new("match-cut")
        .text("text", &text[..end])
        .text("length", text.len())
        .said(words)
}

pub(super) fn short_words(words: &str) -> String {
    if words.len() <= DESCRIBED {
        words.to_owned()
    } else {
        format!("{} ...", &words[..words.floor_char_boundary(DESCRIBED)])
    }
}

/// A page of the moves that there are, from this number on, counted from 1; and where the next page begins.
pub(crate) fn moves(
    position: &Position,
    to_move: Seat,
    from: u128,
    words: &Catalogue,
) -> (String, u128) {
    let total = position.move_count(to_move);
    // After the last move comes the first again.
    let from = match (1..=total).contains(&from) {
        true => from,
        false => 1,
    };
    let listed: Vec<String> = position
        .moves_from(to_move, from - 1)
        .take(LISTED_MOVES)
        .map(|mv| mv.to_string())
        .collect();
    let next = from + listed.len() as u128;
    let rest = total.saturating_sub(next - 1);
    let part = match (from, rest) {
        (1, 0) => "all",
        (_, 0) => "last",
        _ => "some",
    };
    let text = Message::new("match-moves")
        .text("part", part)
        .number("total", u64::try_from(total).unwrap_or(u64::MAX))
        .text("n", total)
        .text("from", from)
        .text("to", next - 1)
        .text("rest", rest)
        .text("list", listed.join(" "))
        .said(words);
    (text, next)
}

/// The rules of the games in a position.
pub(crate) fn rules(position: &Position, words: &Catalogue) -> String {
    rules_with(position, words, |notation| Some(notation.to_owned()))
}

/// The same with other words for how the moves of each game are written, made of the usual ones; `None` leaves them out.
pub(crate) fn rules_with(
    position: &Position,
    words: &Catalogue,
    moves: impl Fn(&str) -> Option<String>,
) -> String {
    let rules = grundy_words::rules(position, words);
    let mut lines: Vec<String> = rules
        .iter()
        .map(|rule| {
            let game = rule.game;
            let written = match words.language() {
                Language::English => game.move_notation.to_owned(),
                _ => words.say(&format!("game-{}-move", game.name)),
            };
            let moves = moves(&written).map_or(String::new(), |moves| {
                let moves = Message::new("match-rule-moves").text("moves", moves);
                format!("\n{}", moves.said(words))
            });
            format!("{}{moves}", titled(rule, words))
        })
        .collect();
    if position.component_count() > 1 {
        lines.push(compound_rule(position, words));
    }
    lines.push(end_rule(position, words));
    lines.join("\n")
}
