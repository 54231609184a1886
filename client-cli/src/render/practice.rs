//! Lessons in sentences: exercises, hints, answers and progress.

use grundy_shared::Position;
use grundy_shared::games::find;
use grundy_shared::ids::Seat;
use grundy_shared::practice::{Hint, LINE, Performance, Place, Refutation, Shown, Theme};
use grundy_shared::solver::{Assessment, MoveReason, MoveResult};
use grundy_words::{Catalogue, Language, Message, reason};
use unicode_width::UnicodeWidthStr as _;

use super::{sentences, short, table};
use crate::practice::deck::Tries;
use crate::practice::event::{Event, Next};
use crate::practice::progress::{Figures, Progress};

/// An exercise as it is put: the position and who is to move, and nothing that helps.
pub(crate) fn exercise(position: &Position, to_move: Seat, words: &Catalogue) -> String {
    position_of(position, to_move, "practice-find", words)
}

/// A puzzle whose first answer counts, as it is put.
pub(crate) fn rated(position: &Position, to_move: Seat, words: &Catalogue) -> String {
    position_of(position, to_move, "practice-find-rated", words)
}

/// The position of an exercise, who is to move, and what is asked.
fn position_of(position: &Position, to_move: Seat, asked: &str, words: &Catalogue) -> String {
    let side = match (position.has_sides(), to_move) {
        (true, Seat::First) => "left",
        (true, Seat::Second) => "right",
        _ => "none",
    };
    let turn = Message::new("practice-turn").text("side", side).said(words);
    format!(
        "{}\n{}\n{}\n{}",
        sentences::describe(position, words),
        sentences::notation(position, words),
        words.sentences(&[turn, sentences::end_rule(position, words)]),
        words.say(asked),
    )
}

/// Whether an answer is right, where no more is known.
pub(crate) fn verdict(right: bool, words: &Catalogue) -> String {
    Message::new("practice-verdict")
        .whether("right", right)
        .said(words)
}

/// The winning moves after a wrong answer.
pub(crate) fn winning(moves: &[String], total: Option<u64>, words: &Catalogue) -> String {
    if moves.is_empty() {
        return String::new();
    }
    let named = moves.len() as u64;
    let case = match total {
        Some(1) => "only",
        Some(total) if total > named => "some",
        _ => "all",
    };
    Message::new("practice-winning")
        .text("case", case)
        .text("moves", moves.join(&words.say("list-comma")))
        .text("more", total.unwrap_or(named).saturating_sub(named))
        .said(words)
}

/// The end of a round of rated puzzles.
pub(crate) fn end_rated(answered: u32, solved: u32, words: &Catalogue) -> String {
    let done = Message::new("practice-rated-done")
        .number("count", answered.into())
        .text("solved", solved)
        .said(words);
    let next = next_of(
        "grundy puzzle rated",
        "grundy puzzle progress --online",
        words,
    );
    format!("\n{done}\n{next}")
}

/// What to do next, as commands.
fn next_of(next: &str, progress: &str, words: &Catalogue) -> String {
    let names = [words.say("practice-next"), words.say("practice-progress")];
    let widest = names.iter().map(|name| name.width()).max().unwrap_or(0);
    let lines = names.iter().zip([next, progress]).map(|(name, command)| {
        let space = " ".repeat(widest - name.width());
        format!("{name}{space} {command}")
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// An event in sentences; empty if there is nothing to say.
pub(crate) fn event(event: &Event<'_>, words: &Catalogue) -> String {
    match event {
        Event::Begin { exercises, .. } => Message::new("practice-begin")
            .number("count", *exercises as u64)
            .said(words),
        Event::Exercise {
            number,
            of,
            family,
            match_id,
            ply,
            tries,
            ..
        } => {
            let put = Message::new("practice-exercise")
                .text("number", number)
                .text("of", of)
                .text("family", named(family, words))
                .text("ply", ply)
                .text("match", match_id)
                .number("tries", *tries);
            format!("\n{}", put.said(words))
        }
        Event::Puzzle {
            number,
            day,
            family,
            difficulty,
            solved,
            ..
        } => {
            let before = match solved {
                Some(Performance::Shown) => "shown",
                Some(_) => "solved",
                None => "no",
            };
            let put = match day {
                Some(day) => Message::new("practice-puzzle-of").text("day", day),
                None => Message::new("practice-puzzle"),
            };
            let put = put
                .text("number", number)
                .text("family", named(family, words))
                .text("difficulty", difficulty)
                .text("before", before);
            format!("\n{}", put.said(words))
        }
        Event::Right { shown, .. } => shown_of("right", shown, words),
        Event::Wrong(refutation) => wrong(refutation, words),
        Event::Undecided { mv } => Message::new("practice-undecided")
            .text("move", short(mv))
            .said(words),
        Event::Hint { number, of, hint } => Message::new("practice-hint")
            .text("number", number)
            .text("of", of)
            .text("hint", self::hint(hint, words))
            .said(words),
        Event::Why { reason } => why(reason, words),
        Event::Solution(shown) => shown_of("solution", shown, words),
        Event::Skipped {} => words.say("practice-skipped"),
        Event::Forgotten {} => words.say("practice-forgotten"),
        Event::Scheduled { due_in_days, .. } => Message::new("practice-due")
            .number("days", (*due_in_days).into())
            .said(words),
        Event::Text { of: "share", text } => format!("\n{}\n{text}", words.say("practice-share")),
        Event::Text { text, .. } => text.clone(),
        Event::Error { .. } => String::new(),
        Event::End {
            results,
            left,
            next,
        } => end(*results, *left, *next, words),
    }
}

/// What a family of games is called: the game, if there is one of this name.
fn named(family: &str, words: &Catalogue) -> String {
    match (words.language(), find(family)) {
        (Language::English, _) | (_, None) => family.to_owned(),
        (_, Some(game)) => words.say(&format!("game-{}", game.name)),
    }
}

/// A winning move, what it leaves, and the other winning moves.
fn shown_of(case: &str, shown: &Shown, words: &Catalogue) -> String {
    let Some(best) = &shown.best else {
        return words.say(&format!("practice-{case}-unknown"));
    };
    let said = Message::new("practice-shown")
        .text("case", case)
        .text("move", short(&best.mv))
        .text("position", short(&best.leaves.position))
        .text("reason", conclusion(&best.leaves, words))
        .said(words);
    match others(shown, words) {
        Some(others) => format!("{said}\n{others}"),
        None => said,
    }
}

/// The other winning moves.
fn others(shown: &Shown, words: &Catalogue) -> Option<String> {
    if shown.others.is_empty() {
        let alone = shown.winning_moves_total == Some(1);
        return alone.then(|| words.say("practice-no-other"));
    }
    let named = shown.others.len() as u64 + 1;
    let more = shown.winning_moves_total.unwrap_or(named);
    let message = Message::new("practice-others")
        .text("moves", shown.others.join(&words.say("list-comma")))
        .number("more", more.saturating_sub(named));
    Some(message.said(words))
}

fn wrong(refutation: &Refutation, words: &Catalogue) -> String {
    let refuted = refuted(refutation, words);
    let again = words.say("practice-again");
    match (&refutation.reason.reply, refutation.reason.result) {
        (None, _) => refuted,
        (Some(_), MoveResult::Draws) => words.sentences(&[refuted, again]),
        (Some(_), _) => format!("{refuted}\n{again}"),
    }
}

/// The reply to a wrong move, and how play goes on.
pub(crate) fn refuted(refutation: &Refutation, words: &Catalogue) -> String {
    let reason = &refutation.reason;
    let drawn = reason.result == MoveResult::Draws;
    let of = |case: &str| {
        Message::new("practice-refuted")
            .text("case", case)
            .text("move", short(&reason.mv))
    };
    let Some(reply) = &reason.reply else {
        return match drawn {
            true => of("draw").said(words),
            false => of("loses")
                .text("reason", conclusion(&reason.leaves, words))
                .said(words),
        };
    };
    let reply_to = |case| of(case).text("reply", short(&reply.mv));
    if drawn {
        return reply_to("draw-to").said(words);
    }
    let head = reply_to("loses-to")
        .text("position", short(&reply.leaves.position))
        .text("reason", conclusion(&reply.leaves, words))
        .said(words);
    let case = match (&*refutation.line, refutation.ends) {
        ([], true) => "over",
        ([], false) => return head,
        (_, true) => "line-over",
        (line, false) if line.len() >= LINE => "line-cut",
        (_, false) => "line",
    };
    let then = Message::new("practice-then")
        .text("case", case)
        .text("line", refutation.line.join(&words.say("list-comma")))
        .said(words);
    format!("{head}\n{then}")
}

/// Why a move does not win, in full.
fn why(reason: &MoveReason, words: &Catalogue) -> String {
    let leaves = |case: &str, mv: &str, position: &str| {
        Message::new("practice-leaves")
            .text("case", case)
            .text("move", short(mv))
            .text("position", short(position))
            .said(words)
    };
    let case = match reason.result {
        MoveResult::Draws => "draw",
        _ => "loses",
    };
    let indented = |of: &Assessment| {
        let sentences = reason::sentences(of, words.language()).into_iter();
        sentences
            .map(|sentence| format!("  {}", sentence.trim_start()))
            .collect::<Vec<_>>()
    };
    let mut lines = vec![leaves(case, &reason.mv, &reason.leaves.position)];
    lines.extend(indented(&reason.leaves));
    if let Some(reply) = &reason.reply {
        lines.push(leaves("reply", &reply.mv, &reply.leaves.position));
        lines.extend(indented(&reply.leaves));
    }
    lines.join("\n")
}

/// The last fact of a position is the one that decides.
fn conclusion(of: &Assessment, words: &Catalogue) -> String {
    let fact = reason::sentences(of, words.language()).pop();
    fact.unwrap_or_default().trim_start().to_owned()
}

/// How an exercise went.
pub(crate) fn performance(performance: Performance, words: &Catalogue) -> String {
    words.say(match performance {
        Performance::AtOnce => "practice-at-once",
        Performance::AfterHints => "practice-after-hints",
        Performance::AfterWrong => "practice-after-wrong",
        Performance::Shown => "practice-was-shown",
    })
}

/// A hint.
pub(crate) fn hint(hint: &Hint, words: &Catalogue) -> String {
    match hint {
        Hint::Idea { theme } => words.say(idea(*theme)),
        Hint::Where { component, place } => {
            let case = match (component, place) {
                (Some(_), Some(_)) => "component-place",
                (Some(_), None) => "component",
                (None, Some(_)) => "place",
                (None, None) => "board",
            };
            let place = place.as_ref().map(|place| self::place(place, words));
            Message::new("practice-where")
                .text("case", case)
                .text("number", component.unwrap_or_default())
                .text("place", place.unwrap_or_default())
                .said(words)
        }
        Hint::Among { moves } => Message::new("practice-among")
            .text("moves", moves.join(&words.say("list-comma")))
            .said(words),
        Hint::Move { mv } => Message::new("practice-wins").text("move", mv).said(words),
    }
}

fn place(place: &Place, words: &Catalogue) -> String {
    let message = match place {
        Place::Heap { name } => Message::new("place-heap").text("name", name),
        Place::Step { step } => Message::new("place-step").text("name", step),
        Place::Gap { gap } => Message::new("place-gap").text("name", gap),
        Place::Vertex { vertex } => Message::new("place-vertex").text("name", vertex),
        Place::Piece { vertices } => Message::new("place-piece").number("count", *vertices),
    };
    message.said(words)
}

/// The message with the idea of a theme.
fn idea(theme: Theme) -> &'static str {
    match theme {
        Theme::Parity => "idea-parity",
        Theme::Pairs => "idea-pairs",
        Theme::NimSum => "idea-nim_sum",
        Theme::Splitting => "idea-splitting",
        Theme::Mirror => "idea-mirror",
        Theme::MisereEnding => "idea-misere_ending",
        Theme::MisereClasses => "idea-misere_classes",
        Theme::ColouredEdges => "idea-coloured_edges",
        Theme::Stakes => "idea-stakes",
        Theme::SpareMoves => "idea-spare_moves",
        Theme::Remainder => "idea-remainder",
        Theme::LosingPairs => "idea-losing_pairs",
        Theme::CountedSteps => "idea-counted_steps",
        Theme::FibonacciParts => "idea-fibonacci_parts",
        Theme::GoldenRatio => "idea-golden_ratio",
        Theme::Columns => "idea-columns",
        Theme::Branches => "idea-branches",
        Theme::Matching => "idea-matching",
        Theme::SafeCells => "idea-safe_cells",
        Theme::Rows => "idea-rows",
        Theme::Mates => "idea-mates",
        Theme::Heads => "idea-heads",
        Theme::LongestComponent => "idea-longest_component",
        Theme::ShortestComponent => "idea-shortest_component",
        Theme::WonComponents => "idea-won_components",
        Theme::Opening => "idea-opening",
        Theme::Cycles => "idea-cycles",
        Theme::Search => "idea-search",
    }
}

/// The end of a lesson.
fn end(results: Tries, left: usize, next: Next, words: &Catalogue) -> String {
    let solved = [
        (results.at_once, "practice-end-at-once"),
        (results.after_hints, "practice-end-hints"),
        (results.after_wrong, "practice-end-wrong"),
        (results.shown, "practice-end-shown"),
    ];
    let parts: Vec<String> = solved
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, how)| Message::new(how).text("n", number).said(words))
        .collect();
    let what = match next {
        Next::Learn => "practice-end",
        Next::Puzzle => "practice-end-puzzles",
    };
    let done = match &*parts {
        [] => words.say("practice-end-none"),
        parts => Message::new(what)
            .number("count", results.total())
            .text("how", parts.join(&words.say("list-comma")))
            .said(words),
    };
    let left = (left > 0).then(|| Message::new("practice-left").text("n", left).said(words));
    let said: Vec<String> = [done].into_iter().chain(left).collect();
    let next = match next {
        Next::Learn => next_of("grundy learn", "grundy learn --progress", words),
        Next::Puzzle => next_of("grundy puzzle next", "grundy puzzle progress", words),
    };
    format!("\n{}\n{next}", words.sentences(&said))
}

/// The deck cannot be written.
pub(crate) fn not_saved(why: &str, words: &Catalogue) -> String {
    Message::new("practice-not-saved")
        .text("why", why)
        .said(words)
}

/// A match has no exercise, and all its moves were judged. `is_whole`: no player and no family was chosen.
pub(crate) fn no_mistake(is_whole: bool, draws: u64, words: &Catalogue) -> String {
    words.say(match (is_whole, draws) {
        (true, 0) => "practice-no-mistake",
        (true, _) => "practice-no-mistake-draws",
        (false, _) => "practice-no-such-mistake",
    })
}

/// How many moves were not judged.
pub(crate) fn not_judged(moves: u64, words: &Catalogue) -> String {
    Message::new("practice-not-judged")
        .number("count", moves)
        .said(words)
}

/// A match has no exercise as far as it was judged.
pub(crate) fn nothing_so_far(moves: u64, words: &Catalogue) -> String {
    Message::new("practice-nothing-so-far")
        .text("judged", not_judged(moves, words))
        .said(words)
}

/// Progress as a table.
pub(crate) fn progress(progress: &Progress, width: Option<usize>, words: &Catalogue) -> String {
    // A sign says which columns have numbers.
    let headings = [
        ("", "progress-family"),
        (">", "progress-exercises"),
        (">", "progress-new"),
        (">", "progress-due"),
        (">", "progress-tries"),
        (">", "progress-at-once"),
        (">", "progress-hints"),
        (">", "progress-wrong"),
        (">", "progress-shown"),
        (">", "progress-recall"),
        (">", "progress-next"),
    ]
    .map(|(sign, name)| format!("{sign}{}", words.say(name)));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let row = |name: &str, figures: &Figures| {
        let Figures {
            exercises,
            new,
            due,
            tries,
            expected_recall,
            next_due_in_days,
        } = figures;
        let recall =
            expected_recall.map_or("-".to_owned(), |recall| format!("{:.0}%", recall * 100.0));
        let mut row = vec![name.to_owned()];
        row.extend([*exercises, *new, *due, tries.total()].map(|number| number.to_string()));
        let how = [
            tries.at_once,
            tries.after_hints,
            tries.after_wrong,
            tries.shown,
        ];
        row.extend(how.map(|number| number.to_string()));
        row.push(recall);
        row.push(match next_due_in_days {
            None => "-".to_owned(),
            Some(days) => Message::new("progress-in")
                .number("days", (*days).into())
                .said(words),
        });
        row
    };
    let families = progress.families.iter();
    let mut rows: Vec<Vec<String>> = families
        .map(|of| row(&named(of.family, words), &of.figures))
        .collect();
    if rows.len() > 1 {
        rows.push(row(&words.say("progress-all"), &progress.total));
    }
    table(&headings, &rows, width)
}
