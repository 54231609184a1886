//! A review as text in languages other than English, whose text `shared` writes.

use grundy_shared::event::{EndReason, Outcome, TimeControl};
use grundy_shared::ids::Seat;
use grundy_shared::record::date_text;
use grundy_shared::review::{Figures, Mark, PlyReview, Review, TurningPoint, span, value_bars};
use grundy_words::{Catalogue, Language, Message, reason};

use super::rope::{NAME, RopeColumn};
use super::sentences::terms;
use super::{headings, short, table};

/// Columns of a text that no screen limits.
const USUAL_WIDTH: usize = 100;

/// The review for a screen of this width.
pub(crate) fn text(review: &Review, width: Option<usize>, words: &Catalogue) -> String {
    if words.language() == Language::English {
        return match width {
            Some(width) => review.text(width),
            None => review.to_string(),
        };
    }
    let mut parts = vec![
        format!("{}\n{}", title(review, words), about(review, words)),
        points(review, words),
        plies(review, width, words),
    ];
    parts.extend(bars(review, width, words));
    parts.push(players(review, width, words));
    parts.extend(
        review
            .turning_points
            .iter()
            .filter_map(|point| why(review, point, words)),
    );
    let hints = hints(review, words);
    parts.extend((!hints.is_empty()).then(|| words.sentences(&hints)));
    parts.extend(gaps(review, words));
    let ended = parts.iter().map(|part| format!("{}\n", part.trim_end()));
    ended.collect::<Vec<_>>().join("\n")
}

/// Who played, and the result.
pub(crate) fn title(review: &Review, words: &Catalogue) -> String {
    if words.language() == Language::English {
        return review.title();
    }
    let result = match review.outcome {
        Some(Outcome::First) => "1-0".to_owned(),
        Some(Outcome::Second) => "0-1".to_owned(),
        Some(Outcome::Draw) => "1/2-1/2".to_owned(),
        Some(Outcome::Void) => "-".to_owned(),
        None => words.say("reviewed-against"),
    };
    let how = review
        .reason
        .filter(|reason| *reason != EndReason::LastMove);
    let how = how.map_or(String::new(), |reason| {
        let how = words.say(&format!("how-{}", reason.as_str()));
        Message::new("reviewed-how").text("how", how).said(words)
    });
    let [first, second] = Seat::BOTH.map(|seat| review.name(seat, usize::MAX));
    Message::new("reviewed-title")
        .text("first", first)
        .text("result", result)
        .text("second", second)
        .text("how", how)
        .said(words)
}

/// What was played.
pub(super) fn about(review: &Review, words: &Catalogue) -> String {
    let end = if review.misere { "misere" } else { "normal" };
    let rule = Message::new("reviewed-rule").text("end", end).said(words);
    Message::new("reviewed-about")
        .text("start", short(&review.start))
        .text("rule", rule)
        .number("count", review.plies_total.into())
        .text("clock", terms(review.clock, words))
        .text("date", date_text(review.created_at_ms))
        .said(words)
}

/// The turning points, or that there are none.
fn points(review: &Review, words: &Catalogue) -> String {
    let mut lines: Vec<String> = review
        .turning_points
        .iter()
        .map(|point| {
            let turn = turn(review, point, words);
            let said: Vec<String> = [turn].into_iter().chain(kept(point, words)).collect();
            words.sentences(&said)
        })
        .collect();
    let conceded = conceded(review, words);
    if lines.is_empty() && conceded.is_none() {
        lines.push(nothing(review, words));
    }
    lines.extend(conceded);
    let lines = lines.iter().map(|line| format!("\n  {line}"));
    format!(
        "{}{}",
        words.say("reviewed-points"),
        lines.collect::<String>()
    )
}

/// The win that a player gave away without a move.
pub(super) fn conceded(review: &Review, words: &Catalogue) -> Option<String> {
    let seat = review.conceded()?;
    let how = match review.reason {
        Some(EndReason::Time) => "time",
        _ => "other",
    };
    let conceded = Message::new("reviewed-conceded")
        .text("how", how)
        .text("name", review.name(seat, usize::MAX));
    Some(conceded.said(words))
}

/// Why there is no turning point. In a review of which one player's turning points are shown only, the counts are still those of the match.
pub(super) fn nothing(review: &Review, words: &Catalogue) -> String {
    let blunders = Seat::BOTH.map(|seat| review.summary.of(seat).marks.of(Mark::Blunder));
    let shown = match blunders {
        _ if review.unknown_positions > 0 => return words.say("reviewed-none"),
        [0, 0] if review.had_a_win() => return words.say("review-never-lost"),
        [0, 0] => return words.say("review-no-win"),
        [0, _] => Seat::First,
        [_, 0] => Seat::Second,
        _ => return words.say("reviewed-none"),
    };
    let drawn = |ply: &PlyReview| ply.wins == Some(Outcome::Draw);
    Message::new("reviewed-never")
        .whether("drawn", review.plies.iter().any(drawn))
        .text("name", review.name(shown, usize::MAX))
        .said(words)
}

/// The move that gave the win away, or the draw.
pub(super) fn turn(review: &Review, point: &TurningPoint, words: &Catalogue) -> String {
    Message::new("reviewed-turn")
        .whether("decisive", review.decisive_ply == Some(point.ply))
        .text("what", if point.drawn { "draw" } else { "win" })
        .text("ply", point.ply)
        .text("name", review.name(point.seat, NAME))
        .text("move", short(&point.mv))
        .said(words)
}

/// The moves that would have kept the win, or the draw.
pub(crate) fn kept(point: &TurningPoint, words: &Catalogue) -> Option<String> {
    let moves = point.winning_moves.join(&words.say("list-comma"));
    let name = match point.winning_moves_total {
        Some(_) => "review-kept-by",
        None => "review-kept-by-some",
    };
    let message = Message::new(name)
        .text("moves", &moves)
        .number("count", point.winning_moves_total.unwrap_or(2))
        .text("total", known(point.winning_moves_total))
        .text("legal", known(point.legal_moves));
    (!moves.is_empty()).then(|| message.said(words))
}

fn known(number: Option<u64>) -> String {
    number.map_or("?".to_owned(), |number| number.to_string())
}

/// Who can force the win: a letter on the player's side, `=` for a draw, `?` where it is not known.
pub(crate) fn holder(ply: &PlyReview) -> &'static str {
    match ply.wins {
        Some(Outcome::First) => "A : .",
        Some(Outcome::Second) => ". : B",
        Some(Outcome::Draw | Outcome::Void) => ". = .",
        None => ". ? .",
    }
}

/// The columns of the table of moves before and after the graph.
const BEFORE: usize = 4;

/// A ply in the table of moves, without the graph.
fn ply_row(review: &Review, ply: &PlyReview, timed: bool, words: &Catalogue) -> Vec<String> {
    let value = match (&ply.value, review.misere) {
        (_, true) => "-".to_owned(),
        (Some(number), false) => short(number),
        (None, false) => known(ply.nim_value),
    };
    let left = match ply.wins {
        Some(Outcome::Draw) => "-".to_owned(),
        _ => known(ply.left),
    };
    let start = || words.say("reviewed-start");
    let mut row = vec![
        ply.ply.to_string(),
        ply.seat
            .map_or(String::new(), |seat| review.name(seat, NAME)),
        ply.mv.as_deref().map_or_else(start, short),
        ply.mark
            .map_or(String::new(), |mark| mark.as_str().to_owned()),
        left,
        value,
    ];
    if timed {
        row.push(ply.spent_ms.map_or(String::new(), |spent| span(spent.0)));
    }
    row
}

/// The table of moves with the graph, and what its signs mean.
fn plies(review: &Review, width: Option<usize>, words: &Catalogue) -> String {
    let timed = review.clock != (TimeControl::Untimed {});
    let plies = review.plies.iter();
    let mut rows: Vec<Vec<String>> = plies
        .map(|ply| ply_row(review, ply, timed, words))
        .collect();
    let names = [
        ">reviewed-ply",
        "reviewed-who",
        "reviewed-move",
        "reviewed-mark",
        ">reviewed-left",
        ">reviewed-value",
        ">reviewed-time",
    ];
    let mut headings = headings(names, words).to_vec();
    headings.truncate(names.len() - usize::from(!timed));
    let rope = RopeColumn::beside(review, (&headings, &rows), width, words);
    headings.insert(BEFORE, rope.heading());
    for (row, ply) in rows.iter_mut().zip(&review.plies) {
        row.insert(BEFORE, rope.cell(ply));
    }
    let [first, second] = Seat::BOTH.map(|seat| review.name(seat, NAME));
    let letters = Message::new("reviewed-letters")
        .text("first", first)
        .text("second", second)
        .said(words);
    let mut signs = vec![letters];
    signs.extend(rope.scale(words));
    let has = |wins: Option<Outcome>| review.plies.iter().any(|ply| ply.wins == wins);
    signs.extend(has(Some(Outcome::Draw)).then(|| words.say("reviewed-drawn")));
    signs.extend(has(None).then(|| words.say("reviewed-open")));
    let occurs = |mark: &Mark| review.plies.iter().any(|ply| ply.mark == Some(*mark));
    let marks = Mark::ALL.into_iter().filter(occurs);
    let marks = marks.map(|mark| format!("\n  {mark} {}", words.say(grundy_words::mark(mark))));
    let marks: String = marks.collect();
    let marks = match marks.is_empty() {
        true => String::new(),
        false => format!("\n{}{marks}", words.say("reviewed-marks")),
    };
    format!(
        "{}\n{}{marks}",
        table(&headings, &rows, width),
        signs.join("\n")
    )
}

/// The bars of nim-values, if the length of some wins is unknown.
fn bars(review: &Review, width: Option<usize>, words: &Catalogue) -> Option<String> {
    let all_known = review.plies.iter().all(|ply| ply.left.is_some());
    let [value, ply] = ["reviewed-value", "reviewed-ply"].map(|name| words.say(name));
    let bars = value_bars(review, width.unwrap_or(USUAL_WIDTH), [&value, &ply]);
    let lines = bars.iter().map(|line| format!("\n{}", line.trim_end()));
    let about = words.say("reviewed-bars");
    (!all_known && !bars.is_empty()).then(|| format!("{about}{}", lines.collect::<String>()))
}

/// What a player made of the match, in a language.
pub(super) fn figures(review: &Review, seat: Seat, words: &Catalogue) -> Figures {
    if words.language() == Language::English {
        return Figures::new(review, seat);
    }
    let of = |part: f64, whole: f64| match whole > 0.0 {
        true => part_of(&format!("{part:.1}"), &format!("{whole:.1}"), words),
        false => "-".to_owned(),
    };
    let summary = review.summary.of(seat);
    let skill = summary.skill.map_or("-".to_owned(), |skill| {
        Message::new("reviewed-span")
            .text("value", format!("{:.2}", skill.skill))
            .text("low", format!("{:.2}", skill.low))
            .text("high", format!("{:.2}", skill.high))
            .said(words)
    });
    let kept = (summary.kept.to_string(), summary.chances.to_string());
    Figures {
        kept: part_of(&kept.0, &kept.1, words),
        bits: of(summary.bits_found, summary.bits_offered),
        skill,
        resistance: of(summary.resistance.made, summary.resistance.best),
        ..Figures::new(review, seat)
    }
}

/// What each player made of the match.
fn players(review: &Review, width: Option<usize>, words: &Catalogue) -> String {
    let row = |seat: Seat| {
        let figures = figures(review, seat, words);
        let mut row = vec![
            figures.name,
            figures.kept,
            figures.bits,
            figures.skill,
            figures.resistance,
            figures.time,
        ];
        row.extend(figures.marks.iter().map(u32::to_string));
        row
    };
    let names = [
        "reviewed-player",
        "reviewed-kept",
        "reviewed-bits",
        "reviewed-skill",
        "reviewed-resistance",
        ">reviewed-time",
    ];
    let marks = Mark::ALL.map(|mark| format!(">{mark}"));
    let headings: Vec<String> = headings(names, words).into_iter().chain(marks).collect();
    table(&headings, &Seat::BOTH.map(row), width)
}

fn part_of(part: &str, whole: &str, words: &Catalogue) -> String {
    Message::new("reviewed-of")
        .text("part", part)
        .text("whole", whole)
        .said(words)
}

/// Why a turning point is one.
fn why(review: &Review, point: &TurningPoint, words: &Catalogue) -> Option<String> {
    let reasons = point.why.as_ref()?;
    let head = Message::new("reviewed-why")
        .text("ply", point.ply)
        .text("name", review.name(point.seat, NAME))
        .said(words);
    let lines = reason::lines(reasons, words.language())
        .into_iter()
        .chain(answer(point, words));
    let lines = lines.map(|line| format!("\n  {line}").trim_end_matches(' ').to_owned());
    Some(format!("{head}{}", lines.collect::<String>()))
}

/// What the opponent answered to the move of a turning point.
pub(super) fn answer(point: &TurningPoint, words: &Catalogue) -> Option<String> {
    let reply = point.answer.as_ref()?;
    let answer = Message::new("reviewed-answer").text("move", &point.mv);
    Some(answer.text("reply", reply).said(words))
}

/// Who asked for hints.
pub(super) fn hints(review: &Review, words: &Catalogue) -> Vec<String> {
    let helped = review.plies.iter().filter(|ply| ply.hints > 0);
    let said = helped.filter_map(|ply| {
        let message = Message::new("reviewed-hints")
            .number("count", ply.hints.into())
            .text("name", review.name(ply.seat?, usize::MAX))
            .text("ply", ply.ply);
        Some(message.said(words))
    });
    said.collect()
}

/// What was not found.
pub(super) fn gaps(review: &Review, words: &Catalogue) -> Vec<String> {
    let without_bits = Seat::BOTH.map(|seat| review.summary.of(seat).chances_without_bits);
    let why = review.traps_unknown_why;
    let traps = |name| Message::new("reviewed-traps").text("why", name);
    let gaps = [
        (review.unknown_positions, Message::new("reviewed-unknown")),
        (
            without_bits.iter().sum(),
            Message::new("reviewed-without-bits"),
        ),
        (why.alternatives, traps("alternatives")),
        (why.hard, traps("hard")),
        (why.budget, traps("budget")),
    ];
    let missing = gaps.into_iter().filter(|(count, _)| *count > 0);
    let said = missing.map(|(count, message)| message.number("count", count.into()).said(words));
    said.collect()
}
