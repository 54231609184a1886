//! Lessons in sentences: exercises, hints, answers and progress.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::practice::{Hint, LINE, Performance, Place, Refutation, Shown, Theme};
use grundy_shared::solver::{Assessment, MoveReason, MoveResult};

use super::{count, sentences, short, table};
use crate::practice::deck::Tries;
use crate::practice::event::{Event, Next};
use crate::practice::progress::{Figures, Progress};

/// What can be typed.
pub(crate) const HELP: &str = "\
Type a move: any winning move is right. hint gives a hint: the idea first, then where to move, then a move. why explains your last wrong move. solution shows \
the winning moves. skip leaves the exercise for another time, forget removes it for good, moves and more list the legal moves, rules shows the rules, board shows the position again, quit \
ends the lesson. Your progress is saved after each exercise.";
/// The words that can be typed, in short.
const WORDS: &str = "hint, why, solution, skip, moves, rules, quit or ?";

/// An exercise as it is put: the position and who is to move, and nothing that helps.
pub(crate) fn exercise(position: &Position, to_move: Seat) -> String {
    let asked = format!("Find a winning move, or type {WORDS}.");
    position_of(position, to_move, &asked)
}

/// What can be typed where the first answer counts.
pub(crate) const RATED_HELP: &str = "\
Type a move: any winning move is right, and your first answer counts. There are no hints before it. solution gives up. why explains your last answer if it was \
wrong. moves and more list the legal moves, rules shows the rules, board shows the position again, quit ends the round.";

/// A puzzle whose first answer counts, as it is put.
pub(crate) fn rated(position: &Position, to_move: Seat) -> String {
    position_of(
        position,
        to_move,
        "Find a winning move. Your first answer counts, and there are no hints before it. You can also type solution to give up, moves, rules, quit or ?.",
    )
}

/// The position of an exercise, who is to move, and what is asked.
fn position_of(position: &Position, to_move: Seat, asked: &str) -> String {
    let who = match (position.has_sides(), to_move) {
        (true, Seat::First) => "You are Left, and it is your move.",
        (true, Seat::Second) => "You are Right, and it is your move.",
        _ => "It is your move.",
    };
    format!(
        "{}\n{}\n{who} {}\n{asked}",
        sentences::describe(position),
        sentences::notation(position),
        sentences::end_rule(position),
    )
}

/// Whether an answer is right, where no more is known.
pub(crate) fn verdict(right: bool) -> &'static str {
    match right {
        true => "Right.",
        false => "That does not win.",
    }
}

/// The winning moves after a wrong answer.
pub(crate) fn winning(moves: &[String], total: Option<u64>) -> String {
    let listed = moves.join(", ");
    match total {
        _ if moves.is_empty() => String::new(),
        Some(1) => format!("Only {listed} wins. Type why to see your move explained."),
        Some(total) if total > moves.len() as u64 => format!(
            "Winning: {listed} and {} more. Type why to see your move explained.",
            total - moves.len() as u64
        ),
        _ => format!("Winning: {listed}. Type why to see your move explained."),
    }
}

/// The end of a round of rated puzzles.
pub(crate) fn end_rated(answered: u32, solved: u32) -> String {
    let answered = count(answered, "puzzle");
    format!(
        "\n{answered} answered, {solved} solved.\nNext:     grundy puzzle rated\nProgress: grundy puzzle progress --online"
    )
}

/// An event in sentences; empty if there is nothing to say.
pub(crate) fn event(event: &Event<'_>) -> String {
    match event {
        Event::Begin { exercises, .. } => format!(
            "{}. Each is a position that was won and thrown away: find a winning move.",
            count(*exercises as u64, "exercise")
        ),
        Event::Exercise {
            number,
            of,
            family,
            match_id,
            ply,
            tries,
            ..
        } => {
            let tried = match tries {
                0 => "new".to_owned(),
                tries => format!("tried {} before", super::many(*tries, "time", "times")),
            };
            format!(
                "\nExercise {number} of {of}: {family}, move {ply} of match {match_id}, {tried}."
            )
        }
        Event::Puzzle {
            number,
            day,
            family,
            difficulty,
            solved,
            ..
        } => {
            let of = match day {
                Some(day) => format!("Puzzle {number}, of {day}"),
                None => format!("Puzzle {number}"),
            };
            let before = match solved {
                Some(Performance::Shown) => ", solution shown before",
                Some(_) => ", solved before",
                None => "",
            };
            format!("\n{of}: {family}, {difficulty}{before}.")
        }
        Event::Right { shown, .. } => right(shown),
        Event::Wrong(refutation) => wrong(refutation),
        Event::Undecided { mv } => format!(
            "{} could not be judged in the time available, so it does not count. A longer --budget may help.",
            short(mv)
        ),
        Event::Hint { number, of, hint } => format!("Hint {number} of {of}: {}", self::hint(hint)),
        Event::Why { reason } => why(reason),
        Event::Solution(shown) => solution(shown),
        Event::Skipped {} => "Skipped: it stays for another time.".to_owned(),
        Event::Forgotten {} => "Forgotten: it will not come back.".to_owned(),
        Event::Scheduled { due_in_days, .. } => scheduled(*due_in_days),
        Event::Text { of: "share", text } => format!("\nTo share:\n{text}"),
        Event::Text { text, .. } => text.clone(),
        Event::Error { .. } => String::new(),
        Event::End {
            results,
            left,
            next,
        } => end(*results, *left, *next),
    }
}

fn right(shown: &Shown) -> String {
    let Some(best) = &shown.best else {
        return "Right.".to_owned();
    };
    let kept = conclusion(&best.leaves);
    format!(
        "Right: {} wins. It leaves {}. {kept}{}",
        short(&best.mv),
        short(&best.leaves.position),
        others(shown, "Also winning: ")
    )
}

fn solution(shown: &Shown) -> String {
    let Some(best) = &shown.best else {
        return "No winning move was found in the time available.".to_owned();
    };
    format!(
        "Solution: {} wins. It leaves {}. {}{}",
        short(&best.mv),
        short(&best.leaves.position),
        conclusion(&best.leaves),
        others(shown, "Also winning: ")
    )
}

/// The other winning moves.
fn others(shown: &Shown, head: &str) -> String {
    if shown.others.is_empty() {
        return match shown.winning_moves_total {
            Some(1) => "\nNo other move wins.".to_owned(),
            _ => String::new(),
        };
    }
    let listed = shown.others.join(", ");
    let named = shown.others.len() as u64 + 1;
    match shown.winning_moves_total {
        Some(total) if total > named => {
            format!("\n{head}{listed} and {} more.", total - named)
        }
        _ => format!("\n{head}{listed}."),
    }
}

fn wrong(refutation: &Refutation) -> String {
    let refuted = refuted(refutation);
    match (&refutation.reason.reply, refutation.reason.result) {
        (None, _) => refuted,
        (Some(_), MoveResult::Draws) => format!("{refuted} Try again."),
        (Some(_), _) => format!("{refuted}\nTry again."),
    }
}

/// The reply to a wrong move, and how play goes on.
pub(crate) fn refuted(refutation: &Refutation) -> String {
    let reason = &refutation.reason;
    let mv = short(&reason.mv);
    let Some(reply) = &reason.reply else {
        return match reason.result {
            MoveResult::Draws => format!("{mv} gives the win away: it leaves a draw."),
            _ => format!("{mv} does not win. {}", conclusion(&reason.leaves)),
        };
    };
    let answer = short(&reply.mv);
    let head = match reason.result {
        MoveResult::Draws => {
            return format!(
                "{mv} gives the win away: after {answer} neither player can force a win."
            );
        }
        _ => format!(
            "{mv} does not win: the reply {answer} leaves {}. {}",
            short(&reply.leaves.position),
            conclusion(&reply.leaves)
        ),
    };
    let line = match (&*refutation.line, refutation.ends) {
        ([], true) => "\nThen the game is over.".to_owned(),
        ([], false) => String::new(),
        (line, true) => format!(
            "\nThen for example: {}, and the game is over.",
            line.join(", ")
        ),
        (line, false) => {
            let cut = if line.len() >= LINE { " ..." } else { "" };
            format!("\nThen for example: {}{cut}", line.join(", "))
        }
    };
    format!("{head}{line}")
}

/// Why a move does not win, in full.
fn why(reason: &MoveReason) -> String {
    let mut lines = vec![format!(
        "{} leaves {}, and the other player wins:",
        short(&reason.mv),
        short(&reason.leaves.position)
    )];
    if reason.result == MoveResult::Draws {
        lines = vec![format!(
            "{} leaves {}, which is a draw:",
            short(&reason.mv),
            short(&reason.leaves.position)
        )];
    }
    let indented = |of: &Assessment| {
        let sentences = of.sentences().into_iter();
        sentences
            .map(|sentence| format!("  {}", sentence.trim_start()))
            .collect::<Vec<_>>()
    };
    lines.extend(indented(&reason.leaves));
    if let Some(reply) = &reason.reply {
        lines.push(format!(
            "The reply {} leaves {}:",
            short(&reply.mv),
            short(&reply.leaves.position)
        ));
        lines.extend(indented(&reply.leaves));
    }
    lines.join("\n")
}

/// The last fact of a position is the one that decides.
fn conclusion(of: &Assessment) -> String {
    let fact = of.sentences().pop().unwrap_or_default();
    fact.trim_start().to_owned()
}

fn scheduled(days: u32) -> String {
    match days {
        0 => "It stays due today.".to_owned(),
        1 => "It is due again tomorrow.".to_owned(),
        days => format!("It is due again in {days} days."),
    }
}

/// How an exercise went.
pub(crate) fn performance(performance: Performance) -> &'static str {
    match performance {
        Performance::AtOnce => "solved at once",
        Performance::AfterHints => "solved after hints",
        Performance::AfterWrong => "solved after a wrong move",
        Performance::Shown => "solution shown",
    }
}

/// A hint.
pub(crate) fn hint(hint: &Hint) -> String {
    match hint {
        Hint::Idea { theme } => idea(*theme).to_owned(),
        Hint::Where { component, place } => {
            let place = place.as_ref().map(self::place);
            match (component, place) {
                (Some(number), Some(place)) => format!("Move in component {number}, {place}."),
                (Some(number), None) => format!("Move in component {number}."),
                (None, Some(place)) => format!("Move {place}."),
                (None, None) => "Look at the whole board.".to_owned(),
            }
        }
        Hint::Among { moves } => format!("Exactly one of these moves wins: {}.", moves.join(", ")),
        Hint::Move { mv } => format!("{mv} wins."),
    }
}

fn place(place: &Place) -> String {
    match place {
        Place::Heap { name } => format!("in heap {name}"),
        Place::Step { step } => format!("on step {step}"),
        Place::Gap { gap } => format!("in gap {gap}, counted from the right"),
        Place::Vertex { vertex } => format!("at an edge that goes up from vertex {vertex}"),
        Place::Piece { vertices } => format!(
            "in a piece of {}",
            super::many(*vertices, "vertex", "vertices")
        ),
    }
}

/// The idea of a theme.
fn idea(theme: Theme) -> &'static str {
    match theme {
        Theme::Parity => "Only the number of parts counts here: leave an even number.",
        Theme::Pairs => "Equal values cancel in pairs: make what is left over cancel, too.",
        Theme::NimSum => {
            "Write the values in binary: after your move, each column needs an even number of ones."
        }
        Theme::Splitting => "Split: leave two parts that balance each other and the rest.",
        Theme::Mirror => {
            "Make the board symmetric under half a turn. Then each move has its mirror image as the answer."
        }
        Theme::MisereEnding => {
            "The last move loses: when no large part would be left, leave an odd number of parts of size 1."
        }
        Theme::MisereClasses => {
            "In misere play the class of the whole sum decides: get into a lost class."
        }
        Theme::ColouredEdges => {
            "Count how many moves each player is ahead in every piece. The total must not favour the other player after your move."
        }
        Theme::Stakes => "Move where the most is at stake.",
        Theme::SpareMoves => {
            "Nothing is hot: make the move that costs you the fewest of your spare moves."
        }
        Theme::Remainder => "Leave a multiple of one more than the largest step.",
        Theme::LosingPairs => {
            "Leave a losing pair: the golden ratio makes them, such as 1 and 2, 3 and 5, 4 and 7."
        }
        Theme::CountedSteps => "Only every other step or gap counts. Treat these as heaps of Nim.",
        Theme::FibonacciParts => {
            "Write the number as a sum of Fibonacci numbers that are not neighbours, and look at the least."
        }
        Theme::GoldenRatio => "The ratio of the numbers decides: leave one below 1.618.",
        Theme::Columns => {
            "Write the heaps in binary: each column must become a multiple of one more than the heaps you may change."
        }
        Theme::Branches => {
            "Branches that meet at a vertex are heaps: replace them by one branch as long as their xor."
        }
        Theme::Matching => {
            "Pair neighbours so that as many vertices as possible have a partner, and move to the partner."
        }
        Theme::SafeCells => "Find the cells where a mark is safe. Each run of them is a heap.",
        Theme::Rows => "With two rows, leave the first one longer by one.",
        Theme::Mates => "Pair the coins whose squares agree in the most low binary digits.",
        Theme::Heads => "Each head has a value of its own. Their xor must become 0.",
        Theme::LongestComponent => "The component that lasts longest decides.",
        Theme::ShortestComponent => "The component that is over first decides.",
        Theme::WonComponents => {
            "Move in every component that you would win alone, and in no other."
        }
        Theme::Opening => {
            "A player who must let the other finish a component loses. Count the moves that both can afford."
        }
        Theme::Cycles => {
            "Play can cycle: head for a position that the other player cannot leave without losing."
        }
        Theme::Search => {
            "No theory helps here: look ahead, and leave the other player without a good answer."
        }
    }
}

/// The end of a lesson.
fn end(results: Tries, left: usize, next: Next) -> String {
    let solved = [
        (results.at_once, "at once"),
        (results.after_hints, "after hints"),
        (results.after_wrong, "after a wrong move"),
        (results.shown, "by the solution"),
    ];
    let parts: Vec<String> = solved
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, how)| format!("{number} {how}"))
        .collect();
    let left = match left {
        0 => String::new(),
        left => format!(" {left} left."),
    };
    let done = match &*parts {
        [] => "Nothing was solved.".to_owned(),
        parts => {
            let what = match next {
                Next::Learn => "exercise",
                Next::Puzzle => "puzzle",
            };
            format!("{}: {}.", count(results.total(), what), parts.join(", "))
        }
    };
    let next = match next {
        Next::Learn => "Next:     grundy learn\nProgress: grundy learn --progress",
        Next::Puzzle => "Next:     grundy puzzle next\nProgress: grundy puzzle progress",
    };
    format!("\n{done}{left}\n{next}")
}

/// The deck cannot be written.
pub(crate) fn not_saved(why: &str) -> String {
    format!("warning: your progress is not saved: {why}")
}

/// A match has no exercise, and all its moves were judged. `is_whole`: no player and no family was chosen.
pub(crate) fn no_mistake(is_whole: bool, draws: u64) -> &'static str {
    match (is_whole, draws) {
        (true, 0) => "Nothing to learn here: no player but bots gave a win away.",
        (true, _) => {
            "Nothing to learn here: no player but bots gave a win away, and draws are not practised."
        }
        (false, _) => "Nothing to learn here: no such win was given away in this match.",
    }
}

/// How many moves were not judged.
pub(crate) fn not_judged(moves: u64) -> String {
    format!(
        "{} not judged in the time available; a longer --budget may help",
        super::many(moves, "move was", "moves were")
    )
}

/// A match has no exercise as far as it was judged.
pub(crate) fn nothing_so_far(moves: u64) -> String {
    format!("Nothing to learn here so far: {}.", not_judged(moves))
}

/// Progress as a table.
pub(crate) fn progress(progress: &Progress, width: Option<usize>) -> String {
    let headings = [
        "family",
        ">exercises",
        ">new",
        ">due",
        ">tries",
        ">at once",
        ">hints",
        ">wrong",
        ">shown",
        ">recall",
        ">next",
    ];
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
            Some(0) => "today".to_owned(),
            Some(1) => "tomorrow".to_owned(),
            Some(days) => format!("in {days} days"),
        });
        row
    };
    let families = progress.families.iter();
    let mut rows: Vec<Vec<String>> = families.map(|of| row(of.family, &of.figures)).collect();
    if rows.len() > 1 {
        rows.push(row("all", &progress.total));
    }
    table(&headings, &rows, width)
}
