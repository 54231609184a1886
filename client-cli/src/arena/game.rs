//! One game between two players.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::game::Kind;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Oracle;

use super::cause::Cause;
use super::player::{Choice, Fault, Player, Turn};
use super::result::{GameResult, Timing};
use super::seed;
use crate::bot::request::{NewGame, Pace};

/// How often a position comes for a draw, in games in which play can cycle.
const REPEATS: u8 = 3;

/// What is played.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Terms<'t> {
    pub(crate) game: u64,
    pub(crate) pair: u64,
    pub(crate) round: u32,
    pub(crate) start: &'t Position,
    pub(crate) names: [&'t str; 2],
    pub(crate) paces: [Pace; 2],
    pub(crate) margin: Duration,
    pub(crate) max_plies: u32,
    /// The seed of the arena.
    pub(crate) seed: u64,
}

/// How a game ended.
struct End {
    outcome: Outcome,
    cause: Cause,
    detail: String,
}

impl End {
    fn by_fault(of: Seat, fault: Fault) -> Self {
        Self {
            outcome: Outcome::win_of(of.other()),
            cause: fault.cause,
            detail: fault.detail,
        }
    }

    fn plain(outcome: Outcome, cause: Cause) -> Self {
        Self {
            outcome,
            cause,
            detail: String::new(),
        }
    }
}

/// What is written down while a game goes on.
struct Notes {
    moves: String,
    timing: Timing,
    /// Every position, if the oracle will be asked.
    positions: Vec<Position>,
}

/// Plays a game to its end, and tells both players how it ended. A player that is absent was not there to begin with, for this reason.
pub(crate) fn play(
    terms: &Terms<'_>,
    players: [Result<&mut dyn Player, Fault>; 2],
    oracle: &mut Oracle,
) -> GameResult {
    let begun = Instant::now();
    let mut notes = Notes {
        moves: String::new(),
        timing: Timing::default(),
        positions: Vec::new(),
    };
    let [first, second] = players;
    let end = match (first, second) {
        (Err(fault), _) => End::by_fault(Seat::First, fault),
        (Ok(first), Err(fault)) => {
            let end = End::by_fault(Seat::Second, fault);
            first.result(terms.game, "win", end.cause.word());
            end
        }
        (Ok(first), Ok(second)) => {
            let mut players = [first, second];
            let end = contest(terms, &mut players, oracle.is_asked(), &mut notes);
            for seat in Seat::BOTH {
                let outcome = match end.outcome.winner() {
                    Some(winner) if winner == seat => "win",
                    Some(_) => "loss",
                    None => "draw",
                };
                players[seat.index()].result(terms.game, outcome, end.cause.word());
            }
            end
        }
    };
    notes.timing.ms = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
    let (favoured, deeds) = oracle.judge(&notes.positions);
    GameResult {
        game: terms.game,
        pair: terms.pair,
        round: terms.round,
        start: terms.start.to_string(),
        first: terms.names[0].to_owned(),
        second: terms.names[1].to_owned(),
        outcome: end.outcome,
        cause: end.cause,
        detail: end.detail,
        moves: notes.moves,
        favoured,
        deeds,
        timing: Some(notes.timing),
    }
}

fn contest(
    terms: &Terms<'_>,
    players: &mut [&mut dyn Player; 2],
    keeps_positions: bool,
    notes: &mut Notes,
) -> End {
    let start = terms.start.to_string();
    for seat in Seat::BOTH {
        let game = NewGame {
            game: terms.game,
            start: &start,
            seat,
            opponent: terms.names[seat.other().index()],
            pace: terms.paces[seat.index()],
            seed: seed::of_player(terms.seed, terms.game, seat.index()),
        };
        if let Err(fault) = players[seat.index()].new_game(&game) {
            return End::by_fault(seat, fault);
        }
    }
    let mut position = terms.start.clone();
    let mut left = terms.paces.map(Pace::at_start);
    let mut came: HashMap<(Position, Seat), u8> = HashMap::new();
    let mut last_from = None;
    let mut seat = Seat::First;
    for ply in 0.. {
        if keeps_positions {
            notes.positions.push(position.clone());
        }
        if let Some(winner) = position.winner_if_over(seat) {
            return End::plain(Outcome::win_of(winner), Cause::Normal);
        }
        if position.kind() == Kind::Loopy {
            let times = came.entry((position.clone(), seat)).or_insert(0);
            *times += 1;
            if *times >= REPEATS {
                return End::plain(Outcome::Draw, Cause::Normal);
            }
        }
        if ply >= terms.max_plies {
            return End::plain(Outcome::Draw, Cause::Adjudicated);
        }
        let own = seat.index();
        let pace = terms.paces[own];
        let turn = Turn {
            position: &position,
            seat,
            last: last_from.map(|from| &notes.moves[from..]),
            pace,
            left: [left[own], left[1 - own]],
            margin: terms.margin,
        };
        let (choice, took) = players[own].choose(&turn);
        let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        notes.timing.moves_us.push(micros);
        if choice.is_ok() && took > left[own] + terms.margin {
            let fault = Fault::new(Cause::Time, "the answer came after the time was up");
            return End::by_fault(seat, fault);
        }
        if let Pace::Stock { increment, .. } = pace {
            left[own] = left[own].saturating_sub(took) + increment;
        }
        let mv = match choice {
            Ok(Choice::Move(mv)) => mv,
            Ok(Choice::Resign) => {
                return End::plain(Outcome::win_of(seat.other()), Cause::Resign);
            }
            Err(fault) => return End::by_fault(seat, fault),
        };
        if !notes.moves.is_empty() {
            notes.moves.push(' ');
        }
        last_from = Some(notes.moves.len());
        let _ = std::fmt::Write::write_fmt(&mut notes.moves, format_args!("{mv}"));
        position = position.play(&mv);
        seat = seat.other();
    }
    End::plain(Outcome::Void, Cause::Adjudicated)
}
