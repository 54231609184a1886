//! A board with its log, and the commands that are given at it.

use grundy_shared::event::{Event, PlayerInfo};
use grundy_shared::ids::{ClientMoveId, MatchId, Millis, PlayerId, Ply, Seat};
use grundy_shared::protocol::error::ErrorCode;
use grundy_shared::referee::{Command, Decision, Referee, Refusal, Terms};

pub(crate) const ADA: u128 = 1;

pub(crate) const BEA: u128 = 2;

pub(crate) const EVE: u128 = 3;

pub(crate) fn player(number: u128) -> PlayerInfo {
    PlayerInfo {
        id: id(number),
        name: format!("player {number}"),
        bot: false,
    }
}

pub(crate) fn id(number: u128) -> PlayerId {
    PlayerId::from_random(number)
}

pub(crate) fn terms(position: &str, clock: &str) -> Terms {
    Terms {
        position: position.to_owned(),
        clock: clock.parse().expect("a time control"),
        rematch_of: None,
        series: None,
    }
}

/// A board with its log, at which commands are given one after another.
pub(crate) struct Board {
    pub(crate) referee: Referee,
    pub(crate) log: Vec<Event>,
}

impl Board {
    /// Ada opens at time 0 and moves first.
    pub(crate) fn open(position: &str, clock: &str) -> Self {
        let (referee, log) =
            Referee::create(terms(position, clock), player(ADA), Seat::First, Millis(0))
                .expect("lawful terms");
        Self { referee, log }
    }

    /// As `open`, and Bea joins at time 0.
    pub(crate) fn with_both(position: &str, clock: &str) -> Self {
        let mut board = Self::open(position, clock);
        board.events(0, join(BEA));
        board
    }

    pub(crate) fn decide(&mut self, now: u64, command: Command) -> Result<Decision, Refusal> {
        let decision = self.referee.handle(Millis(now), &command)?;
        if let Decision::Events(events) = &decision {
            for event in events {
                self.referee.apply(event).expect("own events are lawful");
            }
            self.log.extend(events.iter().cloned());
            assert_eq!(Referee::replay(&self.log).as_ref(), Ok(&self.referee));
        }
        Ok(decision)
    }

    pub(crate) fn events(&mut self, now: u64, command: Command) -> Vec<Event> {
        match self.decide(now, command) {
            Ok(Decision::Events(ruling)) => ruling.into_events(),
            other => panic!("expected events, got {other:?}"),
        }
    }

    pub(crate) fn refusal(&mut self, now: u64, command: Command) -> Refusal {
        let before = self.referee.clone();
        match self.decide(now, command) {
            Err(refusal) => {
                assert_eq!(self.referee, before);
                let known = ErrorCode::ALL
                    .iter()
                    .any(|code| code.as_str() == refusal.code());
                assert!(known, "{} is not in the protocol's list", refusal.code());
                refusal
            }
            Ok(decision) => panic!("expected a refusal, got {decision:?}"),
        }
    }

    pub(crate) fn nothing(&mut self, now: u64, command: Command) {
        assert_eq!(self.decide(now, command), Ok(Decision::Nothing));
    }

    pub(crate) fn left(&self, now: u64) -> (u64, u64) {
        let clocks = self.referee.clocks_at(Millis(now)).expect("a timed match");
        (clocks.first_ms.0, clocks.second_ms.0)
    }
}

pub(crate) fn join(who: u128) -> Command {
    Command::Join {
        player: player(who),
    }
}

pub(crate) fn make(who: u128, ply: u32, text: &str) -> Command {
    Command::Move {
        player: id(who),
        ply: Ply(ply),
        client_move_id: None,
        text: text.to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    }
}

pub(crate) fn make_as(who: u128, ply: u32, text: &str, name: &str) -> Command {
    Command::Move {
        player: id(who),
        ply: Ply(ply),
        client_move_id: Some(name.parse::<ClientMoveId>().expect("a move id")),
        text: text.to_owned(),
        opponent_lag: Millis(0),
        hints: 0,
    }
}

pub(crate) fn resign(who: u128) -> Command {
    Command::Resign { player: id(who) }
}

pub(crate) fn abort(who: u128) -> Command {
    Command::Abort { player: id(who) }
}

pub(crate) fn rematch(who: u128, new_match: u64) -> Command {
    Command::Rematch {
        player: id(who),
        new_match: MatchId::from_random(new_match),
    }
}

pub(crate) fn outage(away: u64) -> Command {
    Command::Outage {
        away_ms: Millis(away),
        hold: false,
    }
}

/// A finished match of Ada and Bea, and their rematch, which begins at 1,000 with held clocks; Bea moves first.
pub(crate) fn held_rematch() -> Board {
    let mut board = Board::with_both("nim:3,4,5", "10s+1s");
    board.events(1, resign(ADA));
    let own_id = MatchId::from_random(1);
    let (referee, log) = board
        .referee
        .create_rematch(own_id, MatchId::from_random(2), Millis(1_000), true)
        .expect("a finished match of two");
    assert_eq!(Referee::replay(&log).as_ref(), Ok(&referee));
    Board { referee, log }
}

pub(crate) fn start_clock(seat: Option<Seat>) -> Command {
    Command::StartClock { seat }
}
