//! A tournament for tests.

use super::event::{Admission, Format, Rules, Starts, TournamentEvent, Who, match_of_game};
use super::log::OpenGame;
use super::seed::Seed;
use super::tie_break::Edition;
use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::ids::{Millis, PlayerId, TournamentId};

pub(crate) fn seed() -> Seed {
    Seed::new([9; 32])
}

pub(crate) fn id() -> TournamentId {
    TournamentId::from_random(77)
}

/// A player; those with even numbers are programs.
pub(crate) fn player(number: u32) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("p{number}"),
        bot: number.is_multiple_of(2),
    }
}

/// Pairings of so many games, all from one start.
pub(crate) fn rules(games: u32) -> Rules {
    Rules {
        games,
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        starts: Starts::List {
            positions: vec!["nim:3,5,7".to_owned()],
        },
        start_ms: Millis(10_000),
        away_ms: Millis(10_000),
    }
}

/// The first event.
pub(crate) fn created(format: Format, rules: Rules) -> TournamentEvent {
    TournamentEvent::Created {
        name: "Cup".to_owned(),
        organiser: player(0),
        format,
        rules,
        admission: Admission {
            who: Who::Both,
            most: 200,
            names: Vec::new(),
        },
        starts_at_ms: None,
        commitment: seed().commitment(),
        tie_breaks: Edition::March2026,
    }
}

pub(crate) fn entered(number: u32) -> TournamentEvent {
    TournamentEvent::Entered {
        player: player(number),
    }
}

/// The end of a game without a record.
pub(crate) fn ended(open: OpenGame, outcome: Outcome, reason: EndReason) -> TournamentEvent {
    let OpenGame {
        round, board, game, ..
    } = open;
    TournamentEvent::GameEnded {
        round,
        board,
        game,
        match_id: match_of_game(id(), round, board, game),
        outcome,
        reason,
        head: "0".repeat(64),
    }
}
