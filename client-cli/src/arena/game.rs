//! One game between two players.

use std::time::{Duration, Instant};

use grundy_shared::Position;
use grundy_shared::event::Outcome;
use grundy_shared::ids::Seat;
use grundy_shared::oracle::Oracle;

use super::cause::Cause;
use super::ending::Ending;
use super::player::{Choice, Fault, Player, Turn};
use super::result::{GameResult, Timing};
use super::seed;
use crate::bot::request::{NewGame, Pace};

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
    /// Moves after which the game ends as soon as the solver proves how; `None` if it is played out.
    pub(crate) adjudicate: Option<u32>,
    /// Whether the solver says afterwards what the players did.
    pub(crate) is_judged: bool,
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
    /// Who was told of the game.
    told: [bool; 2],
}

/// Plays a game to its end, and tells the players that were told of it how it ended. A player that is absent was not there to begin with,
/// for this reason.
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
        told: [false; 2],
    };
    let [first, second] = players;
    let end = match (first, second) {
        (Err(fault), _) => End::by_fault(Seat::First, fault),
        (Ok(_), Err(fault)) => End::by_fault(Seat::Second, fault),
        (Ok(first), Ok(second)) => {
            let mut players = [first, second];
            let end = contest(terms, &mut players, oracle, &mut notes);
            for seat in Seat::BOTH {
                if !notes.told[seat.index()] {
                    continue;
                }
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
    oracle: &mut Oracle,
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
        notes.told[seat.index()] = true;
        if let Err(fault) = players[seat.index()].new_game(&game) {
            return End::by_fault(seat, fault);
        }
    }
    let mut position = terms.start.clone();
    let mut left = terms.paces.map(Pace::at_start);
    let mut ending = Ending::new(terms.max_plies, terms.adjudicate);
    let mut last_from = None;
    let mut seat = Seat::First;
    for ply in 0.. {
        if terms.is_judged {
            notes.positions.push(position.clone());
        }
        if let Some((outcome, cause)) = ending.of(&position, seat, ply, oracle) {
            return End::plain(outcome, cause);
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
        if choice.is_ok() && took > left[own].saturating_add(terms.margin) {
            let fault = Fault::new(Cause::Time, "the answer came after the time was up");
            return End::by_fault(seat, fault);
        }
        if let Pace::Stock { increment, .. } = pace {
            left[own] = left[own].saturating_sub(took).saturating_add(increment);
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A player that makes the first legal move each time, after so many milliseconds by its own measure.
    #[derive(Default)]
    struct Timed {
        took: Vec<u64>,
        /// What it and its opponent had left at each of its moves, in milliseconds.
        left: Vec<[u128; 2]>,
        heard: Vec<String>,
        /// Whether it does not get ready for a game.
        is_broken: bool,
    }

    impl Timed {
        fn taking(took: &[u64]) -> Self {
            Self {
                took: took.to_vec(),
                ..Self::default()
            }
        }
    }

    impl Player for Timed {
        fn new_game(&mut self, _: &NewGame<'_>) -> Result<(), Fault> {
            match self.is_broken {
                true => Err(Fault::new(Cause::NotReady, "it is not ready")),
                false => Ok(()),
            }
        }

        fn choose(&mut self, turn: &Turn<'_>) -> (Result<Choice, Fault>, Duration) {
            let took = self.took.get(self.left.len()).copied().unwrap_or_default();
            self.left.push(turn.left.map(|left| left.as_millis()));
            let mv = turn.position.nth_move(turn.seat, 0).expect("a move");
            (Ok(Choice::Move(mv)), Duration::from_millis(took))
        }

        fn result(&mut self, _: u64, outcome: &str, reason: &str) {
            self.heard.push(format!("{outcome} {reason}"));
        }

        fn is_usable(&mut self) -> bool {
            true
        }

        fn quit(self: Box<Self>) {}
    }

    /// A game of six moves, with ten seconds and one more after each move, and a margin of 50 ms.
    fn game(players: [Result<&mut dyn Player, Fault>; 2]) -> GameResult {
        let start = Position::parse("nim:1,1,1,1,1,1").expect("a position");
        let pace = Pace::Stock {
            base: Duration::from_secs(10),
            increment: Duration::from_secs(1),
        };
        let terms = Terms {
            game: 1,
            pair: 1,
            round: 1,
            start: &start,
            names: ["one", "two"],
            paces: [pace; 2],
            margin: Duration::from_millis(50),
            max_plies: 100,
            adjudicate: None,
            is_judged: false,
            seed: 1,
        };
        play(&terms, players, &mut Oracle::new(0))
    }

    #[test]
    fn a_stock_runs_down_and_grows_by_the_increment() {
        let (mut one, mut two) = (Timed::taking(&[6_000, 4_000, 1_000]), Timed::default());
        let played = game([Ok(&mut one), Ok(&mut two)]);
        assert_eq!(
            one.left,
            [[10_000, 10_000], [5_000, 11_000], [2_000, 12_000]]
        );
        assert_eq!(
            two.left,
            [[10_000, 5_000], [11_000, 2_000], [12_000, 2_000]]
        );
        assert_eq!(
            (played.outcome, played.cause),
            (Outcome::win_of(Seat::Second), Cause::Normal)
        );
        assert_eq!(
            (one.heard, two.heard),
            (
                vec!["loss normal".to_owned()],
                vec!["win normal".to_owned()]
            )
        );
    }

    #[test]
    fn who_takes_more_than_the_time_left_and_the_margin_loses() {
        let (mut one, mut two) = (Timed::default(), Timed::taking(&[10_050, 1_050]));
        let played = game([Ok(&mut one), Ok(&mut two)]);
        assert_eq!(
            played.cause,
            Cause::Normal,
            "the margin belongs to the player"
        );
        assert_eq!(two.left[1..], [[1_000, 12_000], [1_000, 13_000]]);
        let (mut one, mut two) = (Timed::default(), Timed::taking(&[10_000, 1_051]));
        let played = game([Ok(&mut one), Ok(&mut two)]);
        assert_eq!(
            (played.outcome, played.cause),
            (Outcome::win_of(Seat::First), Cause::Time)
        );
        assert_eq!(played.moves.split(' ').count(), 3, "{}", played.moves);
        assert_eq!(
            (one.heard, two.heard),
            (vec!["win time".to_owned()], vec!["loss time".to_owned()])
        );
    }

    #[test]
    fn who_was_not_there_loses() {
        fn absent<'p>() -> Result<&'p mut dyn Player, Fault> {
            Err(Fault::new(Cause::Crash, "it ended"))
        }
        let mut one = Timed::default();
        let played = game([Ok(&mut one), absent()]);
        assert_eq!(
            (played.outcome, played.cause),
            (Outcome::win_of(Seat::First), Cause::Crash)
        );
        assert!(one.heard.is_empty(), "it was not told of the game");
        let played = game([absent(), Ok(&mut one)]);
        assert_eq!(
            (played.outcome, played.cause),
            (Outcome::win_of(Seat::Second), Cause::Crash)
        );
        assert!(one.left.is_empty() && one.heard.is_empty());
    }

    #[test]
    fn only_who_was_told_of_a_game_hears_how_it_ended() {
        let (mut one, mut two) = (Timed::default(), Timed::default());
        one.is_broken = true;
        let played = game([Ok(&mut one), Ok(&mut two)]);
        assert_eq!(
            (played.outcome, played.cause),
            (Outcome::win_of(Seat::Second), Cause::NotReady)
        );
        assert!(two.heard.is_empty(), "{:?}", two.heard);
        let (mut one, mut two) = (Timed::default(), Timed::default());
        two.is_broken = true;
        game([Ok(&mut one), Ok(&mut two)]);
        assert_eq!(one.heard, ["win not_ready"]);
        assert_eq!(two.heard, ["loss not_ready"]);
    }
}
