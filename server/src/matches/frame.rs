//! The text of one message to a client, written once and shared by all who get it.

use std::io::Write;

use bytes::Bytes;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, PlayerId, Seq, TournamentId};
use grundy_shared::protocol::chat::{ChatEvent, Room, chat_frame};
use grundy_shared::protocol::server::{account_frame, notice_frame};
use grundy_shared::protocol::{AccountEvent, Notice, Reply};
use grundy_shared::tournament::Dated;

/// Bytes that most frames of events and replies fit into.
const USUAL: usize = 256;

/// The text of one message to a client. Cheap to clone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame(Bytes);

impl Frame {
    /// The frame of a reply.
    #[must_use]
    pub fn reply(re: Option<u64>, body: &Reply) -> Self {
        let mut text = Vec::with_capacity(USUAL);
        match re {
            Some(id) => write!(text, r#"{{"re":{id},"body":"#),
            None => write!(text, r#"{{"re":null,"body":"#),
        }
        .expect("a vector takes every byte");
        serde_json::to_writer(&mut text, body)
            .expect("a vector takes every byte, and a reply has only string keys");
        text.push(b'}');
        Self(text.into())
    }

    /// The frame of a stored event, from the JSON in which it is stored.
    #[must_use]
    pub fn event(match_id: MatchId, seq: Seq, json: impl AsRef<[u8]>) -> Self {
        let json = json.as_ref();
        let mut text = Vec::with_capacity(json.len() + 64);
        begin(&mut text, match_id, seq);
        text.extend_from_slice(json);
        text.push(b'}');
        Self(text.into())
    }

    /// The frame of a new event, and the JSON in which it is stored (`Event::to_json`): a part of the same bytes.
    #[must_use]
    pub fn of_event(match_id: MatchId, seq: Seq, event: &Event) -> (Self, Bytes) {
        let mut text = Vec::with_capacity(USUAL);
        begin(&mut text, match_id, seq);
        let from = text.len();
        serde_json::to_writer(&mut text, event)
            .expect("a vector takes every byte, and an event has only string keys");
        let to = text.len();
        text.push(b'}');
        let text = Bytes::from(text);
        let json = text.slice(from..to);
        (Self(text), json)
    }

    /// The frame of a new event of a tournament, and the JSON in which it is stored: a part of the same bytes.
    #[must_use]
    pub fn of_tournament(id: TournamentId, seq: Seq, dated: &Dated) -> (Self, Bytes) {
        let mut text = Vec::with_capacity(USUAL);
        write!(text, r#"{{"tournament":"{id}","seq":{seq},"body":"#)
            .expect("a vector takes every byte");
        let from = text.len();
        text.extend_from_slice(dated.to_json().as_bytes());
        let to = text.len();
        text.push(b'}');
        let text = Bytes::from(text);
        let json = text.slice(from..to);
        (Self(text), json)
    }

    /// The frame of a new event in a room of a match, and the JSON that is stored, which shares its bytes.
    #[must_use]
    pub fn of_chat(id: MatchId, room: Room, seq: Seq, event: &ChatEvent) -> (Self, Bytes) {
        let json = event.to_json();
        let text = Bytes::from(chat_frame(id, room, seq, &json));
        let to = text.len() - 1;
        let json = text.slice(to - json.len()..to);
        (Self(text), json)
    }

    /// The frame of an event of an account.
    #[must_use]
    pub fn account(account: PlayerId, seq: Seq, body: &AccountEvent) -> Self {
        Self(account_frame(account, seq, body).into())
    }

    /// The frame of a notice.
    #[must_use]
    pub fn notice(body: &Notice) -> Self {
        Self(notice_frame(body).into())
    }

    /// A frame that has been written already.
    #[cfg(test)]
    pub(super) fn of_bytes(text: Bytes) -> Self {
        Self(text)
    }

    /// How many bytes it has.
    #[expect(clippy::len_without_is_empty, reason = "no frame is empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Its UTF-8 text.
    #[must_use]
    pub fn into_bytes(self) -> Bytes {
        self.0
    }
}

fn begin(text: &mut Vec<u8>, match_id: MatchId, seq: Seq) {
    write!(text, r#"{{"match":"{match_id}","seq":{seq},"body":"#)
        .expect("a vector takes every byte");
}

#[cfg(test)]
mod tests {
    use grundy_shared::ids::{Millis, Seat};

    use super::*;

    #[test]
    fn a_reply_is_written_as_the_protocol_says() {
        use grundy_shared::protocol::server::reply_frame;
        let reply = Reply::Pong { now_ms: Millis(7) };
        for re in [Some(9), None] {
            let frame = Frame::reply(re, &reply).into_bytes();
            assert_eq!(frame, reply_frame(re, &reply));
        }
    }

    #[test]
    fn an_event_is_written_once_and_stored_as_a_part_of_its_frame() {
        let id = MatchId::from_random(7);
        let event = Event::Presence {
            at_ms: Millis(9),
            seat: Seat::First,
            online: true,
        };
        let (frame, json) = Frame::of_event(id, Seq(12), &event);
        assert_eq!(json, event.to_json());
        assert_eq!(frame, Frame::event(id, Seq(12), event.to_json()));
        let text = frame.into_bytes();
        let text = std::str::from_utf8(&text).expect("JSON is UTF-8");
        assert_eq!(
            text,
            format!(r#"{{"match":"{id}","seq":12,"body":{}}}"#, event.to_json())
        );
    }
}
