//! Follows the chat of a match on a server: passes on each line once and in order, also after a gap. Decides what to pass on and what to
//! request; sends nothing itself.

use std::collections::VecDeque;

use grundy_shared::ids::Seq;
use grundy_shared::protocol::chat::{ChatEvent, ChatLine, Room};
use grundy_shared::protocol::client::{self, ClientMessage};

use super::{News, Speech};

/// Number of lines that `chat` shows.
const SHOWN: usize = 20;
/// Lines on a page.
const PAGE: u32 = 200;

/// How far a client has read its room.
#[derive(Debug)]
pub(super) struct Chatting {
    room: Room,
    /// The last line passed on; `None` before the first one, if the match was already in progress when we came.
    heard: Option<Seq>,
    /// The request for missed lines.
    pub(super) asked: Option<u64>,
    /// The newest line that arrived during that request.
    newest: Seq,
    /// While a `chat` command is being answered: the last lines of the pages so far, and where the next page begins.
    shown: (VecDeque<ChatLine>, Seq),
}

/// What to do after a line or a page has arrived.
#[derive(Debug, Default)]
pub(super) struct Follows {
    /// Lines to pass on.
    pub(super) news: Vec<News>,
    /// Request the lines after this one.
    pub(super) missing_after: Option<Seq>,
}

impl Chatting {
    /// Starts before the first line of a room. The match may be a new one.
    pub(super) fn new(room: Room, is_new: bool) -> Self {
        Self {
            room,
            heard: is_new.then_some(Seq(0)),
            asked: None,
            newest: Seq(0),
            shown: (VecDeque::new(), Seq(0)),
        }
    }

    /// The request that says something.
    pub(super) fn say(&self, match_id: String, speech: &Speech) -> ClientMessage {
        let (text, preset) = match speech {
            Speech::Text(text) => (Some(text.clone()), None),
            Speech::Preset(preset) => (None, Some(*preset)),
        };
        let say = client::Say {
            match_id,
            room: self.room,
            text,
            preset,
        };
        say.into()
    }

    /// The request for a page of lines.
    pub(super) fn lines_after(&self, match_id: String, after: Seq) -> ClientMessage {
        let chat = client::Chat {
            match_id,
            room: self.room,
            after,
            limit: Some(PAGE),
        };
        chat.into()
    }

    /// The last line received, if later lines may have been missed.
    pub(super) fn heard(&self) -> Option<Seq> {
        self.heard
    }

    /// The connection was lost: open requests will not be answered.
    pub(super) fn connection_lost(&mut self) {
        self.asked = None;
        self.shown = (VecDeque::new(), Seq(0));
    }

    /// Takes a line that arrived. After a gap, the missing lines are requested first.
    pub(super) fn hear(&mut self, room: Room, seq: Seq, said: ChatEvent) -> Follows {
        let news = vec![News::Said(room, seq, Box::new(said))];
        let missing_after = None;
        if room != self.room {
            // When the match is over, players also receive the watchers' lines. Gaps in that room are not filled.
            return Follows {
                news,
                missing_after,
            };
        }
        let heard = *self.heard.get_or_insert(Seq(seq.0.saturating_sub(1)));
        self.newest = self.newest.max(seq);
        if self.asked.is_some() || seq <= heard {
            return Follows::default();
        }
        if seq > heard.next() {
            return Follows {
                news: Vec::new(),
                missing_after: Some(heard),
            };
        }
        self.heard = Some(seq);
        Follows {
            news,
            missing_after,
        }
    }

    /// Takes a page of missed lines, and the place where the next page begins, if there is one.
    pub(super) fn hear_missed(&mut self, lines: Vec<ChatLine>, next: Option<Seq>) -> Follows {
        let before = self.heard;
        let mut news = Vec::new();
        for line in lines {
            if self.heard.is_none_or(|heard| line.seq > heard) {
                self.heard = Some(line.seq);
                news.push(News::Said(self.room, line.seq, Box::new(line.body)));
            }
        }
        self.heard = self.heard.max(next);
        let is_behind = next.is_some() || self.heard < Some(self.newest);
        if is_behind && self.heard == before {
            // A line that is missing from the page will not come later either: its player has been muted.
            self.heard = self.heard.max(Some(self.newest));
        }
        let missing_after = self.heard.filter(|_| is_behind && self.heard > before);
        Follows {
            news,
            missing_after: missing_after.filter(|after| next.is_some() || *after < self.newest),
        }
    }

    /// Takes a page for a `chat` command. After the last page, all lines are shown.
    pub(super) fn show(&mut self, lines: Vec<ChatLine>, next: Option<Seq>) -> Follows {
        let (shown, after) = &mut self.shown;
        shown.extend(lines);
        shown.drain(..shown.len().saturating_sub(SHOWN));
        if let Some(next) = next.filter(|next| next > after) {
            *after = next;
            return Follows {
                news: Vec::new(),
                missing_after: Some(next),
            };
        }
        let (shown, _) = std::mem::replace(&mut self.shown, (VecDeque::new(), Seq(0)));
        Follows {
            news: vec![News::Lines(self.room, shown.into())],
            missing_after: None,
        }
    }
}

/// The request that mutes or unmutes a player.
pub(super) fn muting(player: &str, muted: bool) -> ClientMessage {
    let player = player.to_owned();
    match muted {
        true => client::Mute { player }.into(),
        false => client::Unmute { player }.into(),
    }
}

#[cfg(test)]
mod tests {
    use grundy_shared::event::PlayerInfo;
    use grundy_shared::ids::{Millis, PlayerId};
    use grundy_shared::protocol::chat::Preset;

    use super::*;

    fn said() -> ChatEvent {
        ChatEvent::Said {
            at_ms: Millis(0),
            player: PlayerInfo {
                id: PlayerId::from_random(1),
                name: "Bo".to_owned(),
                bot: false,
            },
            text: None,
            preset: Some(Preset::Hello),
        }
    }

    fn page(numbers: impl IntoIterator<Item = u64>) -> Vec<ChatLine> {
        let line = |seq| ChatLine {
            seq: Seq(seq),
            body: said(),
        };
        numbers.into_iter().map(line).collect()
    }

    /// The numbers passed on, and the number after which lines are requested.
    fn seen(follows: &Follows) -> (Vec<u64>, Option<u64>) {
        let number = |news: &News| match news {
            News::Said(_, seq, _) => seq.0,
            other => panic!("{other:?}"),
        };
        let numbers = follows.news.iter().map(number).collect();
        (numbers, follows.missing_after.map(|seq| seq.0))
    }

    #[test]
    fn each_line_is_passed_on_once_and_in_order() {
        let mut chatting = Chatting::new(Room::Players, true);
        let mut hear = |seq| {
            let follows = chatting.hear(Room::Players, Seq(seq), said());
            chatting.asked = follows.missing_after.map(|_| 7).or(chatting.asked);
            seen(&follows)
        };
        assert_eq!(hear(1), (vec![1], None));
        assert_eq!(hear(1), (vec![], None));
        assert_eq!(hear(4), (vec![], Some(1)));
        assert_eq!(hear(5), (vec![], None));
        chatting.asked = None;
        // The page was read before line 5 was stored.
        let missed = chatting.hear_missed(page(2..=4), None);
        assert_eq!(seen(&missed), (vec![2, 3, 4], Some(4)));
        let missed = chatting.hear_missed(page([5]), None);
        assert_eq!(seen(&missed), (vec![5], None));
        // Another room has its own numbers.
        let other = chatting.hear(Room::Watchers, Seq(9), said());
        assert_eq!(seen(&other), (vec![9], None));
    }

    #[test]
    fn what_is_not_given_is_not_asked_for_again_and_again() {
        let mut chatting = Chatting::new(Room::Players, true);
        assert_eq!(
            seen(&chatting.hear(Room::Players, Seq(3), said())),
            (vec![], Some(0))
        );
        assert_eq!(
            seen(&chatting.hear_missed(page([1]), None)),
            (vec![1], Some(1))
        );
        assert_eq!(seen(&chatting.hear_missed(page([]), None)), (vec![], None));
        assert_eq!(
            seen(&chatting.hear(Room::Players, Seq(4), said())),
            (vec![4], None)
        );
        // A server that names the same next page for ever does not keep us requesting it.
        assert_eq!(
            seen(&chatting.hear_missed(page([]), Some(Seq(4)))),
            (vec![], None)
        );
    }

    #[test]
    fn who_asks_what_was_said_gets_the_last_lines_of_all_pages() {
        let mut chatting = Chatting::new(Room::Players, false);
        let more = chatting.show(page(1..=200), Some(Seq(200)));
        assert_eq!(more.missing_after, Some(Seq(200)));
        let last = chatting.show(page(201..=205), None);
        let [News::Lines(Room::Players, lines)] = &last.news[..] else {
            panic!("{last:?}");
        };
        let numbers: Vec<u64> = lines.iter().map(|line| line.seq.0).collect();
        assert_eq!(numbers, (186..=205).collect::<Vec<_>>());
        chatting.show(page([]), Some(Seq(7)));
        let same = chatting.show(page([]), Some(Seq(7)));
        assert!(matches!(&same.news[..], [News::Lines(_, lines)] if lines.is_empty()));
    }

    #[test]
    fn in_a_match_that_was_going_on_the_first_line_begins() {
        let mut chatting = Chatting::new(Room::Watchers, false);
        assert_eq!(chatting.heard(), None);
        assert_eq!(
            seen(&chatting.hear(Room::Watchers, Seq(40), said())),
            (vec![40], None)
        );
        assert_eq!(chatting.heard(), Some(Seq(40)));
    }
}
