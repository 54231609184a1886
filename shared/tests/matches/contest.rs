//! Matches made of a start and a list of moves.

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{Millis, PlayerId, Ply, Seat};
use grundy_shared::referee::{Command, Decision, Referee, Terms};

/// Applies a command that must succeed.
pub(crate) fn command(referee: &mut Referee, now: u64, command: &Command) {
    match referee.handle(Millis(now), command) {
        Ok(Decision::Events(ruling)) => {
            referee.accept(ruling).expect("nothing came between");
        }
        other => panic!("{command:?}: {other:?}"),
    }
}

/// The id of one of the two players.
pub(crate) fn id(seat: Seat) -> PlayerId {
    PlayerId::from_random(seat.index() as u128)
}

/// A match between Ada, who moves first, and bo-bot, with these moves, a second apart.
pub(crate) fn contest(start: &str, clock: &str, moves: &[&str]) -> Referee {
    let [ada, bo] = Seat::BOTH.map(|seat| PlayerInfo {
        id: id(seat),
        name: ["Ada", "bo-bot"][seat.index()].to_owned(),
        bot: seat == Seat::Second,
    });
    let terms = Terms {
        position: start.to_owned(),
        clock: clock.parse().expect("a time control"),
        rematch_of: None,
        series: None,
    };
    let (mut referee, _) =
        Referee::create(terms, ada, Seat::First, Millis(0)).expect("lawful terms");
    command(&mut referee, 0, &Command::Join { player: bo });
    for (text, ply) in moves.iter().zip(1..) {
        let made = Command::Move {
            player: id(Seat::to_move_at(Ply(ply - 1))),
            ply: Ply(ply),
            client_move_id: None,
            text: (*text).to_owned(),
            opponent_lag: Millis(0),
            hints: 0,
        };
        command(&mut referee, u64::from(ply) * 1_000, &made);
    }
    referee
}
