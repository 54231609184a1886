//! What is shown of a review at one ply: the board, what is known of it, and what the next move made of it.

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::review::{Mark, PlyReview, Review, TurningPoint};
use grundy_words::{Catalogue, Value, reason};

use super::row::{meaning, short};
use crate::costly::{self, OffServing};

/// The position after a move.
pub(super) struct Place {
    pub(super) ply: u32,
    pub(super) position: String,
    /// The picture, with what the next move touches.
    pub(super) board: String,
    /// Who is to move and who wins, in sentences.
    pub(super) standing: String,
    /// The next move and what it is worth, in sentences.
    pub(super) next: Option<String>,
    /// Why, if the next move gives a win away.
    pub(super) reasons: Vec<String>,
    /// The plies that the buttons lead to.
    pub(super) back: Option<u32>,
    pub(super) forward: Option<u32>,
    pub(super) last: u32,
    pub(super) mistake_before: Option<u32>,
    pub(super) mistake_after: Option<u32>,
}

impl Place {
    /// The position after this many moves; `None` if the moves are not legal. O(plies before it).
    pub(super) fn of(
        leave: OffServing,
        words: &Catalogue,
        review: &Review,
        names: &[String; 2],
        at: u32,
    ) -> Option<Self> {
        let (position, to_move) = reached(leave, review, at)?;
        let picture = costly::draw(leave, &position);
        let next = review.plies.get(at as usize + 1);
        let touched =
            next.and_then(|next| picture.touched_by(next.mv.as_deref()?).into_iter().next());
        let point = review
            .turning_points
            .iter()
            .find(|point| point.ply.0 == at + 1);
        let name = &names[to_move.index()];
        let before = |point: &&TurningPoint| point.ply.0.saturating_sub(1);
        let mut turns = review.turning_points.iter();
        Some(Self {
            ply: at,
            position: position.to_string(),
            board: picture.chosen_svg(&touched.unwrap_or_default()),
            standing: standing(
                words,
                review.plies.get(at as usize)?,
                names,
                to_move,
                &position,
            ),
            next: next.map(|next| played(words, next, point, name)),
            reasons: point
                .and_then(|point| point.why.as_ref())
                .map_or(Vec::new(), |why| reason::lines(why, words.language())),
            back: at.checked_sub(1),
            forward: (at < review.plies_total).then_some(at + 1),
            last: review.plies_total,
            mistake_before: turns
                .clone()
                .map(|point| before(&point))
                .rfind(|ply| *ply < at),
            mistake_after: turns
                .find(|point| before(point) > at)
                .map(|point| before(&point)),
        })
    }
}

/// The position after so many moves, and who is to move there.
fn reached(leave: OffServing, review: &Review, at: u32) -> Option<(Position, Seat)> {
    let mut position = costly::read_stored(Some(leave), &review.start).ok()?;
    let mut to_move = Seat::First;
    for ply in review.plies.iter().skip(1).take(at as usize) {
        let mv = position.parse_move(to_move, ply.mv.as_deref()?).ok()?;
        position = position.play(&mv);
        to_move = to_move.other();
    }
    Some((position, to_move))
}

/// Who is to move, who wins with best play and how soon, and the value.
fn standing(
    words: &Catalogue,
    ply: &PlyReview,
    names: &[String; 2],
    to_move: Seat,
    position: &Position,
) -> String {
    let name = |name: &'_ str, message| words.with(message, &[("name", Value::Text(name))]);
    let mut said = Vec::new();
    if !position.is_over(to_move) {
        said.push(name(&names[to_move.index()], "review-to-move"));
    }
    said.push(match ply.wins.map(Outcome::winner) {
        None => words.say("review-unknown"),
        Some(None) => words.say("review-draw"),
        Some(Some(winner)) => {
            let winner = &names[winner.index()];
            match ply.left {
                Some(0) => name(winner, "review-has-won"),
                Some(left) => {
                    let number = left.to_string();
                    let variables = [
                        ("name", Value::Text(winner)),
                        ("count", Value::Number(left)),
                        ("n", Value::Text(&number)),
                    ];
                    words.with("review-wins-in", &variables)
                }
                None => name(winner, "review-wins"),
            }
        }
    });
    let value = ply
        .value
        .clone()
        .or_else(|| ply.nim_value.map(|value| value.to_string()));
    if let Some(value) = value {
        said.push(words.with("review-value", &[("value", Value::Text(&value))]));
    }
    words.sentences(&said)
}

/// The next move: what it is worth, and what would have been better.
fn played(words: &Catalogue, next: &PlyReview, point: Option<&TurningPoint>, name: &str) -> String {
    let mv = short(next.mv.as_deref().unwrap_or_default());
    let mark = next.mark.map_or("", Mark::as_str);
    let variables = [
        ("name", Value::Text(name)),
        ("move", Value::Text(&mv)),
        ("mark", Value::Text(mark)),
    ];
    let mut said = vec![match next.mark {
        Some(_) => words.with("review-next-marked", &variables),
        None => words.with("review-next", &variables),
    }];
    if let Some(mark) = next.mark.filter(|_| point.is_none()) {
        said.push(meaning(words, mark));
    }
    if let Some(point) = point {
        said.push(words.say(match point.drawn {
            true => "review-gave-draw",
            false => "review-gave-win",
        }));
        said.extend(better(words, point));
    }
    if let Some(answer) = point.and_then(|point| point.answer.as_deref()) {
        said.push(words.with("review-answer", &[("move", Value::Text(&short(answer)))]));
    }
    words.sentences(&said)
}

/// The moves that would have kept the win.
fn better(words: &Catalogue, point: &TurningPoint) -> Option<String> {
    let kept: Vec<String> = point.winning_moves.iter().map(|mv| short(mv)).collect();
    if kept.is_empty() {
        return None;
    }
    let moves = kept.join(", ");
    let known = |number: Option<u64>| number.map_or("?".to_owned(), |number| number.to_string());
    let (total, legal) = (known(point.winning_moves_total), known(point.legal_moves));
    let variables = [
        ("moves", Value::Text(&moves)),
        (
            "count",
            Value::Number(point.winning_moves_total.unwrap_or(2)),
        ),
        ("total", Value::Text(&total)),
        ("legal", Value::Text(&legal)),
    ];
    let name = match point.winning_moves_total {
        Some(_) => "review-kept-by",
        None => "review-kept-by-some",
    };
    Some(words.with(name, &variables))
}

/// The moves that gave a win away: the ply before each, and what happened.
pub(super) fn turns(words: &Catalogue, review: &Review, names: &[String; 2]) -> Vec<(u32, String)> {
    let points = review.turning_points.iter();
    let told = points.map(|point| {
        let (ply, mv) = (point.ply.0.to_string(), short(&point.mv));
        let variables = [
            ("ply", Value::Text(&ply)),
            ("name", Value::Text(&names[point.seat.index()])),
            ("move", Value::Text(&mv)),
            (
                "what",
                Value::Text(if point.drawn { "draw" } else { "win" }),
            ),
        ];
        (
            point.ply.0.saturating_sub(1),
            words.with("review-turn", &variables),
        )
    });
    told.collect()
}

/// What is said where no win was given away by a move, or not all is known.
pub(super) fn nothing(words: &Catalogue, review: &Review) -> Option<String> {
    if !review.turning_points.is_empty() {
        return None;
    }
    let message = match (review.unknown_positions > 0, review.conceded()) {
        (true, _) => "review-nothing-known",
        (false, Some(_)) => "review-no-move-lost",
        (false, None) if !review.had_a_win() => "review-no-win",
        (false, None) => "review-never-lost",
    };
    Some(words.say(message))
}
