//! Plays a finished game again, from its moves and times alone.

use std::time::Duration;

use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Oracle;
use grundy_shared::{Move, Position};

use super::cause::Cause;
use super::ending::Ending;
use super::result::{GameResult, Timing};
use super::settings::Settings;
use crate::bot::request::Pace;

/// A game as its moves show it.
struct Course {
    positions: Vec<Position>,
    moves: usize,
    /// How the rules ended it, if they did.
    end: Option<(Outcome, Cause)>,
}

/// Compares what a line says of a game with what its moves and times show.
///
/// # Errors
/// What is wrong.
pub(crate) fn check(
    settings: &Settings,
    bots: [usize; 2],
    start: &Position,
    result: &GameResult,
    oracle: &mut Oracle,
) -> Result<(), String> {
    let timing = result.timing.as_ref();
    let timing = timing.ok_or("the times of its moves are missing")?;
    let course = replay(start, &result.moves, settings, oracle)?;
    let asked = timing.moves_us.len();
    let never_begun = course.end.is_none() && asked == 0 && course.moves == 0;
    match course.end {
        Some(end) => check_end(result, end, asked == course.moves)?,
        None => check_fault(result, &course, asked)?,
    }
    check_times(settings, bots, result, timing)?;
    let positions = match never_begun || settings.oracle_nodes == 0 {
        true => &[][..],
        false => &course.positions,
    };
    let (favoured, deeds) = oracle.judge(positions);
    if favoured != result.favoured {
        return Err("the solver says otherwise who wins the start".to_owned());
    }
    for seat in Seat::BOTH {
        let (found, due) = (&result.deeds[seat.index()], &deeds[seat.index()]);
        if found != due {
            return Err(format!(
                "the {seat} player kept {} of {} won positions, and the line says {} of {}",
                due.kept, due.won, found.kept, found.won
            ));
        }
    }
    Ok(())
}

/// Makes the moves until the rules or an adjudication end the game, or there are no more.
fn replay(
    start: &Position,
    moves: &str,
    settings: &Settings,
    oracle: &mut Oracle,
) -> Result<Course, String> {
    let mut texts = moves.split(' ').filter(|_| !moves.is_empty());
    let mut positions = vec![start.clone()];
    let mut ending = Ending::new(
        settings.max_plies,
        settings.adjudicate.map(|adjudicate| adjudicate.plies),
    );
    let mut seat = Seat::First;
    for ply in 0.. {
        let position = &positions[positions.len() - 1];
        let end = ending.of(position, seat, ply, oracle);
        let next = texts.next();
        let (text, ended) = match (end, next) {
            (None, Some(text)) => (text, None),
            (end, None) => ("", Some(end)),
            (Some(_), Some(_)) => {
                return Err(format!("it was over after {ply} moves, and it has more"));
            }
        };
        if let Some(end) = ended {
            let moves = ply as usize;
            return Ok(Course {
                positions,
                moves,
                end,
            });
        }
        let mv = legal(position, seat, text)
            .ok_or_else(|| format!("move {}, '{text}', is not legal", ply + 1))?;
        let after = position.play(&mv);
        positions.push(after);
        seat = seat.other();
    }
    Err("it has too many moves".to_owned())
}

/// A move as it is written.
fn legal(position: &Position, seat: Seat, text: &str) -> Option<Move> {
    let mv = position.parse_move(seat, text).ok()?;
    (mv.to_string() == text).then_some(mv)
}

fn said(result: &GameResult) -> String {
    format!("{} by {}", result.outcome.as_str(), result.cause.word())
}

fn check_end(result: &GameResult, end: (Outcome, Cause), each_timed: bool) -> Result<(), String> {
    if end != (result.outcome, result.cause) {
        let (outcome, cause) = (end.0.as_str(), end.1.word());
        let said = said(result);
        return Err(format!(
            "its moves end with {outcome} by {cause}, and the line says {said}"
        ));
    }
    match each_timed {
        true => Ok(()),
        false => Err("it does not have one time for each move".to_owned()),
    }
}

/// The rules have not ended the game: the player to move did, or one who could not begin.
fn check_fault(result: &GameResult, course: &Course, asked: usize) -> Result<(), String> {
    use Cause::{Crash, Illegal, Malformed, NotReady, Resign, Stall, Time};
    let said = said(result);
    let wrong = || format!("its moves do not end the game, and the line says {said}");
    let to_move = match course.moves % 2 {
        0 => Seat::First,
        _ => Seat::Second,
    };
    let is_right = match asked {
        0 => course.moves == 0 && matches!(result.cause, Crash | Malformed | NotReady),
        _ => matches!(
            result.cause,
            Resign | Time | Illegal | Malformed | Stall | Crash
        ),
    };
    if !is_right {
        return Err(wrong());
    }
    if asked > 0 && asked != course.moves + 1 {
        return Err("it does not have one time for each move".to_owned());
    }
    let loser = result.outcome.winner().map(Seat::other);
    match loser {
        Some(loser) if asked == 0 || loser == to_move => Ok(()),
        _ => Err(format!(
            "the {to_move} player was to move and lost, and the line says {said}"
        )),
    }
}

/// Nobody exceeds the time, except who loses by it. Times are kept in whole microseconds.
fn check_times(
    settings: &Settings,
    bots: [usize; 2],
    result: &GameResult,
    timing: &Timing,
) -> Result<(), String> {
    let paces = bots.map(|bot| settings.bots[bot].time.unwrap_or(settings.time).pace());
    let margin = Duration::from_millis(settings.margin_ms);
    let mut left = paces.map(Pace::at_start);
    let last = timing.moves_us.len().saturating_sub(1);
    for (ply, micros) in timing.moves_us.iter().enumerate() {
        let own = ply % 2;
        let took = Duration::from_micros((*micros).into());
        let unread = Duration::from_micros(ply as u64 + 1);
        let most = left[own].saturating_add(margin);
        let is_last = ply == last;
        let by_time = is_last && matches!(result.cause, Cause::Time | Cause::Stall);
        let by_fault = is_last && result.cause.is_fault();
        if by_time && took + unread < most && *micros < u32::MAX {
            return Err(format!(
                "answer {} came in time, and the line says {}",
                ply + 1,
                said(result)
            ));
        }
        if !by_fault && took > most.saturating_add(unread) {
            return Err(format!(
                "answer {} took {} ms, and the player had {} ms",
                ply + 1,
                took.as_millis(),
                most.as_millis()
            ));
        }
        if let Pace::Stock { increment, .. } = paces[own] {
            left[own] = left[own].saturating_sub(took).saturating_add(increment);
        }
    }
    Ok(())
}
