//! One ply in the list of a review.

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, PlyReview, Review};
use grundy_words::Catalogue;

/// Letters of a move that are shown.
const MOVE: usize = 60;

/// One ply.
pub(super) struct Row {
    pub(super) ply: u32,
    /// The seat that moved; empty for the start.
    pub(super) seat: &'static str,
    pub(super) mv: String,
    pub(super) mark: &'static str,
    /// What the mark means; empty without one.
    pub(super) meaning: String,
    /// The seat that holds the win, `draw` or `unknown`.
    pub(super) wins: &'static str,
    pub(super) left: String,
    pub(super) value: String,
    /// How often the player asked for a hint before the move.
    pub(super) hints: u32,
}

impl Row {
    pub(super) fn of(words: &Catalogue, review: &Review, ply: &PlyReview) -> Self {
        let known = |number: Option<u64>| number.map_or("?".to_owned(), |n| n.to_string());
        let value = match (&ply.value, review.misere) {
            (_, true) => "–".to_owned(),
            (Some(number), false) => number.clone(),
            (None, false) => known(ply.nim_value),
        };
        Self {
            ply: ply.ply.0,
            seat: match ply.seat {
                Some(Seat::First) => "first",
                Some(Seat::Second) => "second",
                None => "",
            },
            mv: match &ply.mv {
                Some(mv) => short(mv),
                None => words.say("review-start"),
            },
            mark: ply.mark.map_or("", Mark::as_str),
            meaning: meant(words, review, ply),
            wins: holder(ply.wins),
            left: match ply.wins {
                Some(Outcome::Draw) => "–".to_owned(),
                _ => known(ply.left),
            },
            value,
            hints: ply.hints,
        }
    }
}

/// A move, cut to what a line holds.
pub(super) fn short(mv: &str) -> String {
    match mv.chars().count() > MOVE {
        true => mv.chars().take(MOVE - 1).chain(['…']).collect(),
        false => mv.to_owned(),
    }
}

/// Who holds the win, as a class of the page.
pub(super) fn holder(wins: Option<Outcome>) -> &'static str {
    match wins {
        Some(Outcome::First) => "first",
        Some(Outcome::Second) => "second",
        Some(Outcome::Draw | Outcome::Void) => "draw",
        None => "unknown",
    }
}

/// What the mark of a move means there: the legend has one text for wins and draws that are given away.
fn meant(words: &Catalogue, review: &Review, ply: &PlyReview) -> String {
    let mut turns = review.turning_points.iter();
    match (ply.mark, turns.find(|point| point.ply == ply.ply)) {
        (None, _) => String::new(),
        (Some(Mark::Blunder), Some(point)) if point.drawn => words.say("review-gave-draw"),
        (Some(Mark::Blunder), Some(_)) => words.say("review-gave-win"),
        (Some(mark), _) => meaning(words, mark),
    }
}

/// What a mark means.
pub(super) fn meaning(words: &Catalogue, mark: Mark) -> String {
    words.say(grundy_words::mark(mark))
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId, Ply};
    use grundy_shared::referee::{Command, Decision, Referee, Terms};
    use grundy_shared::solver::Budget;
    use grundy_words::Language;

    use super::*;

    /// What the row of the first move of a match says of its mark.
    fn said(start: &str, mv: &str) -> (&'static str, String) {
        let terms = Terms {
            position: start.to_owned(),
            clock: "none".parse().expect("a time control"),
            rematch_of: None,
            series: None,
        };
        let [ann, bo] = [(1, "Ann"), (2, "Bo")].map(|(number, name)| PlayerInfo {
            id: PlayerId::from_random(number),
            name: name.to_owned(),
            bot: false,
        });
        let mover = ann.id;
        let (mut referee, _) =
            Referee::create(terms, ann, Seat::First, Millis(0)).expect("lawful terms");
        let made = Command::Move {
            player: mover,
            ply: Ply(1),
            client_move_id: None,
            text: mv.to_owned(),
            opponent_lag: Millis(0),
            hints: 0,
        };
        for command in [Command::Join { player: bo }, made] {
            let Ok(Decision::Events(events)) = referee.handle(Millis(1), &command) else {
                panic!("{start} {mv} is refused");
            };
            referee.accept(events).expect("lawful events");
        }
        let review = Review::of(&referee, &Budget::nodes(1_000_000));
        let row = Row::of(Catalogue::of(Language::English), &review, &review.plies[1]);
        (row.mark, row.meaning)
    }

    #[test]
    fn a_draw_that_is_given_away_is_not_called_a_win() {
        // From 2 the opponent makes the last move; between 0 and 1 nobody ever does.
        let drawn = said("loopy.0-1.1-0.0-2.2-3:0", "0-2");
        assert_eq!(drawn, ("??", "This gives the draw away.".to_owned()));
        let won = said("nim:3,4,5", "C-5");
        assert_eq!(won, ("??", "This gives the win away.".to_owned()));
    }
}
