//! What a hint says, and how it is written on the bus.

use std::fmt::Write;

use grundy_shared::ids::{MatchId, Seq, TournamentId};
use grundy_shared::protocol::chat::Room;

use crate::store::{NodeId, StreamId};

/// Hints in one message at most.
pub const HINTS_MAX: usize = 64;
/// The line of a server that is overloaded.
const OVERLOADED: &str = "overloaded";
/// A longer message is not read.
const BYTES_MAX: usize = 8 * 1024;

/// A log has grown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Hint {
    /// That of a match, up to this event.
    Match(MatchId, Seq),
    /// That of a tournament.
    Tournament(TournamentId, Seq),
    /// The words of all servers, up to this one.
    Words(Seq),
    /// That of a room of a match.
    Chat(MatchId, Room, Seq),
}

impl Hint {
    /// What others may want to know of a log that has grown up to this event; `None` if they read it only when somebody asks.
    #[must_use]
    pub fn of(stream: StreamId, last: Seq) -> Option<Self> {
        match stream {
            StreamId::Match(id) => Some(Self::Match(id, last)),
            StreamId::Tournament(id) => Some(Self::Tournament(id, last)),
            StreamId::Chat(id, room) => Some(Self::Chat(id, room, last)),
            StreamId::Account(_)
            | StreamId::Rating(..)
            | StreamId::Audit
            | StreamId::Solving(_)
            | StreamId::Puzzle(_) => None,
        }
    }

    fn write(self, text: &mut String) {
        // To write into a string does not fail.
        let _ = match self {
            Self::Match(id, last) => writeln!(text, "m {id} {last}"),
            Self::Tournament(id, last) => writeln!(text, "t {id} {last}"),
            Self::Words(last) => writeln!(text, "w all {last}"),
            Self::Chat(id, room, last) => writeln!(text, "c {id} {last} {room}"),
        };
    }

    fn read(line: &str) -> Option<Self> {
        let mut words = line.split(' ');
        let (kind, id, last) = (words.next()?, words.next()?, words.next()?);
        let last = Seq(last.parse().ok()?);
        let room = words.next();
        if words.next().is_some() || last == Seq(0) {
            return None;
        }
        match (kind, room) {
            ("m", None) => Some(Self::Match(id.parse().ok()?, last)),
            ("t", None) => Some(Self::Tournament(id.parse().ok()?, last)),
            ("c", Some(room)) => Some(Self::Chat(id.parse().ok()?, room.parse().ok()?, last)),
            ("w", None) if id == "all" => Some(Self::Words(last)),
            _ => None,
        }
    }
}

/// One message: who sends it, and what it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Packet {
    /// The server that sends it.
    pub from: NodeId,
    /// It is so overloaded that it is not ready for new clients.
    pub overloaded: bool,
    /// At most [`HINTS_MAX`].
    pub hints: Vec<Hint>,
    /// Lines that could not be read: of a newer version, or of a stranger.
    pub unread: u64,
}

impl Packet {
    /// As text: a line with the sender, one if it is overloaded, and a line for each hint.
    #[must_use]
    pub fn write(from: NodeId, overloaded: bool, hints: &[Hint]) -> String {
        let mut text = format!("{}\n", from.0);
        if overloaded {
            text.push_str(OVERLOADED);
            text.push('\n');
        }
        for hint in hints {
            hint.write(&mut text);
        }
        text
    }

    /// Reads it; `None` if it is no such message.
    #[must_use]
    pub fn read(bytes: &[u8]) -> Option<Self> {
        if bytes.len() > BYTES_MAX {
            return None;
        }
        let mut lines = std::str::from_utf8(bytes).ok()?.lines().peekable();
        let from = NodeId(lines.next()?.parse().ok()?);
        let overloaded = lines.next_if_eq(&OVERLOADED).is_some();
        let read: Vec<Option<Hint>> = lines.take(HINTS_MAX).map(Hint::read).collect();
        let hints: Vec<Hint> = read.iter().flatten().copied().collect();
        let unread = (read.len() - hints.len()) as u64;
        Some(Self {
            from,
            overloaded,
            hints,
            unread,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_written_is_read() {
        let hints = [
            Hint::Match(MatchId::from_random(7), Seq(3)),
            Hint::Tournament(TournamentId::from_random(8), Seq(u64::MAX)),
            Hint::Words(Seq(12)),
            Hint::Chat(MatchId::from_random(7), Room::Watchers, Seq(1)),
        ];
        for overloaded in [false, true] {
            for hints in [&hints[..], &[]] {
                let text = Packet::write(NodeId(9), overloaded, hints);
                let packet = Packet::read(text.as_bytes()).unwrap();
                assert_eq!((packet.from, packet.unread), (NodeId(9), 0));
                assert_eq!((packet.overloaded, &packet.hints[..]), (overloaded, hints));
            }
        }
    }

    #[test]
    fn a_full_message_is_read() {
        let longest = (MatchId::from_random(u64::MAX), Room::Watchers);
        let hints = [Hint::Chat(longest.0, longest.1, Seq(u64::MAX)); HINTS_MAX];
        let text = Packet::write(NodeId(u32::MAX), true, &hints);
        assert_eq!(
            Packet::read(text.as_bytes()).unwrap().hints.len(),
            HINTS_MAX
        );
    }

    #[test]
    fn what_is_no_hint_is_counted_and_what_is_no_message_is_not_read() {
        let id = MatchId::from_random(7);
        let text = format!(
            "9\nm {id} 0\nm {id}\nm {id} 1 2\nx {id} 1\nc {id} 1\nc {id} 1 attic\nm ? 1\n\nm {id} 5\n"
        );
        let packet = Packet::read(text.as_bytes()).unwrap();
        assert_eq!(packet.hints, [Hint::Match(id, Seq(5))]);
        assert_eq!(packet.unread, 8);
        let long = "9\n".repeat(BYTES_MAX);
        for bad in [&b""[..], b"\xff", b"-1\n", b"{\"hint\":1}", long.as_bytes()] {
            assert_eq!(Packet::read(bad), None);
        }
    }
}
