//! The checks of a bot on a server: what each asks for, the match in which it is seen, and how that is judged.

use std::time::Duration;

use grundy_shared::event::{EndReason, PlayerInfo, TimeControl};
use grundy_shared::ids::{Millis, Seat};
use grundy_words::Message;

use crate::bot::checked::{Found, figure};
use crate::bot::conversation::millis;

/// How long a bot may take to end after its match.
pub(super) const ENDS: Duration = Duration::from_secs(10);
/// A move that comes within this time is quick.
const QUICK: Duration = Duration::from_millis(500);

/// What the opponent does in the match of a check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opposition {
    /// Plays to the end.
    Plays,
    /// Resigns after the first move of the bot.
    Resigns,
    /// Proposes to call the match off after the first move of the bot, and plays on.
    Proposes,
    /// Cuts the connection of the bot after its first move, and plays on.
    CutsTheLine,
    /// Hangs up after the first move of the bot, and comes back.
    GoesAway,
}

/// A check: its name, what it asks for, and its match.
pub(super) struct Check {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) position: &'static str,
    /// The side of the bot.
    pub(super) seat: Seat,
    pub(super) clock: TimeControl,
    pub(super) opposition: Opposition,
    /// What is wrong with how it went, if anything; otherwise a figure.
    pub(super) judge: fn(&Story) -> Found,
}

/// How a match went.
#[derive(Debug)]
pub(super) struct Story {
    /// Who took the seat, and how long that took.
    pub(super) bot: Option<PlayerInfo>,
    pub(super) joined: Duration,
    /// How long the moves of the bot took.
    pub(super) moves: Vec<Duration>,
    pub(super) reason: Option<EndReason>,
    /// Whether the bot has won.
    pub(super) won: bool,
    /// How its process ended, and how long after the match; `None` if it was killed.
    pub(super) ended: Option<(String, Duration)>,
}

const UNTIMED: TimeControl = TimeControl::Untimed {};
const BLITZ: TimeControl = TimeControl::Fischer {
    base_ms: Millis(10_000),
    increment_ms: Millis(1_000),
};

const fn check(
    name: &'static str,
    about: &'static str,
    position: &'static str,
    seat: Seat,
    judge: fn(&Story) -> Found,
) -> Check {
    Check {
        name,
        about,
        position,
        seat,
        clock: BLITZ,
        opposition: Opposition::Plays,
        judge,
    }
}

const fn against(opposition: Opposition, check: Check) -> Check {
    Check {
        opposition,
        ..check
    }
}

const fn untimed(check: Check) -> Check {
    Check {
        clock: UNTIMED,
        ..check
    }
}

use Opposition::{CutsTheLine, GoesAway, Proposes, Resigns};
use Seat::{First, Second};

pub(super) const CHECKS: &[Check] = &[
    against(
        Resigns,
        check(
            "joins",
            "takes the seat of a join code",
            "nim:3,5,7",
            First,
            |story| Ok(millis(story.joined)),
        ),
    ),
    against(
        Resigns,
        check(
            "bot",
            "says in hello that it is a bot: \"bot\": true",
            "nim:3,5,7",
            First,
            is_bot,
        ),
    ),
    against(
        Resigns,
        check(
            "answers",
            "makes a move when it is its turn",
            "nim:3,5,7",
            First,
            moves,
        ),
    ),
    check(
        "whole-game",
        "plays a whole game as first player",
        "nim:1,2,3",
        First,
        to_the_end,
    ),
    check(
        "second",
        "plays a whole game as second player",
        "nim:1,2,3",
        Second,
        to_the_end,
    ),
    untimed(check(
        "untimed",
        "plays without clocks",
        "nim:1,2",
        First,
        to_the_end,
    )),
    check(
        "forced",
        "finds the only legal move",
        "nim:1",
        First,
        to_the_end,
    ),
    check(
        "last-word",
        "takes a last move that ends the match as the end",
        "nim:1",
        Second,
        to_the_end,
    ),
    check(
        "misere",
        "plays @misere",
        "nim:2,3@misere",
        First,
        to_the_end,
    ),
    against(
        Resigns,
        check(
            "large",
            "plays heaps of 10^18",
            "nim:1000000000000000000,999999999999999999",
            First,
            moves,
        ),
    ),
    against(
        Resigns,
        check("heaps", "reads a position of 200 heaps", WIDE, First, moves),
    ),
    check(
        "quick",
        "answers within 500 ms",
        "nim:2,3,2,3",
        First,
        quick,
    ),
    check(
        "clock",
        "has time left at the end of a match of 10 s and 1 s a move",
        "nim:4,4,4",
        Second,
        to_the_end,
    ),
    against(
        Resigns,
        check(
            "resigned",
            "takes the resignation of the opponent as the end",
            "nim:3,5,7",
            First,
            ends,
        ),
    ),
    against(
        Proposes,
        check(
            "proposal",
            "agrees when the opponent proposes to call the match off, or plays on",
            "nim:3,5,7",
            First,
            ends,
        ),
    ),
    against(
        CutsTheLine,
        check(
            "reconnects",
            "comes back when its connection is cut, and plays on",
            "nim:3,5,7",
            First,
            to_the_end,
        ),
    ),
    against(
        GoesAway,
        check(
            "waits",
            "plays on when the opponent was away",
            "nim:3,5,7",
            First,
            to_the_end,
        ),
    ),
    check(
        "ends",
        "ends by itself within 10 s of its match",
        "nim:1,2",
        First,
        ends,
    ),
    check(
        "exit-code",
        "ends with exit code 0",
        "nim:1,2",
        Second,
        exit_code,
    ),
];

/// 200 heaps, one bean in each.
const WIDE: &str = "nim:1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,2";

fn is_bot(story: &Story) -> Found {
    match &story.bot {
        Some(player) if player.bot => Ok(figure(crate::render::clean(&player.name))),
        Some(_) => Err(Message::new("check-person")),
        None => Err(Message::new("check-nobody")),
    }
}

fn moves(story: &Story) -> Found {
    let first = story.moves.first();
    first
        .map(|took| millis(*took))
        .ok_or_else(|| no_move(story))
}

fn no_move(story: &Story) -> Message {
    match story.reason {
        Some(reason) => Message::new("check-no-move-ended").text("reason", reason.as_str()),
        None => Message::new("check-no-move"),
    }
}

fn to_the_end(story: &Story) -> Found {
    match story.reason {
        Some(EndReason::LastMove) => Ok(Some(
            Message::new("check-own-moves").text("n", story.moves.len()),
        )),
        Some(EndReason::Resignation) if story.won => {
            Ok(Some(Message::new("check-opponent-resigned")))
        }
        Some(reason) => Err(Message::new("check-other-end").text("reason", reason.as_str())),
        None => Err(Message::new("check-no-end")),
    }
}

fn quick(story: &Story) -> Found {
    to_the_end(story)?;
    match story.moves.iter().max() {
        Some(longest) if *longest <= QUICK => {
            let longest = format!("{:.0}", longest.as_secs_f64() * 1_000.0);
            Ok(Some(Message::new("check-longest").text("ms", longest)))
        }
        Some(longest) => {
            let took = format!("{:.0}", longest.as_secs_f64() * 1_000.0);
            Err(Message::new("check-move-slow").text("ms", took))
        }
        None => Err(no_move(story)),
    }
}

fn ends(story: &Story) -> Found {
    match &story.ended {
        Some((_, took)) => Ok(millis(*took)),
        None => Err(Message::new("check-still-there").text("seconds", ENDS.as_secs())),
    }
}

fn exit_code(story: &Story) -> Found {
    match &story.ended {
        Some((how, _)) if how == "exit code 0" => Ok(None),
        Some((how, _)) => Err(Message::new("check-ended").text("how", how)),
        None => ends(story),
    }
}
