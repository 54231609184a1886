//! One account: who follows it, and the events that it was told last.

use std::collections::VecDeque;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::Seq;
use grundy_shared::protocol::AccountEvent;
use grundy_shared::protocol::account::OfferInfo;

use crate::matches::{Frame, Outbox, Outgoing};
use crate::planted;

/// Events that are kept for those who come back: fewer than wait for a slow reader.
pub(super) const KEPT: usize = 50;

/// An account that somebody follows, or has followed lately.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) info: PlayerInfo,
    /// Names the numbering.
    stream: String,
    seq: Seq,
    /// The newest events, the last one with number `seq`.
    kept: VecDeque<Frame>,
    pub(super) followers: Vec<Outbox>,
    /// The standing offer, and the connection that it ends with.
    pub(super) offer: Option<(Outbox, OfferInfo)>,
    /// Open challenges from this player and to it.
    pub(super) sent: usize,
    pub(super) received: usize,
}

impl Account {
    pub(super) fn new(info: PlayerInfo, stream: String) -> Self {
        Self {
            info,
            stream,
            seq: Seq(0),
            kept: VecDeque::new(),
            followers: Vec::new(),
            offer: None,
            sent: 0,
            received: 0,
        }
    }

    /// Whether somebody follows it.
    pub(super) fn is_present(&self) -> bool {
        !self.followers.is_empty()
    }

    /// Whether it must not be forgotten.
    pub(super) fn is_needed(&self) -> bool {
        self.is_present() || self.sent + self.received > 0
    }

    /// The name of the numbering, and the number of the newest event.
    pub(super) fn newest(&self) -> (String, Seq) {
        (self.stream.clone(), self.seq)
    }

    /// Every event after this one, if they are all known still.
    pub(super) fn missed(&self, stream: Option<&str>, since: Seq) -> Option<Vec<Frame>> {
        let behind = self.seq.0.checked_sub(since.0)?;
        let behind = usize::try_from(behind).ok()?;
        let known = stream == Some(&self.stream) && behind <= self.kept.len();
        known.then(|| {
            let from = self.kept.len() - behind;
            self.kept.range(from..).cloned().collect()
        })
    }

    /// Drops the kept events if one of them contains this text. A follower that missed them gets the same reply as for events that are too old.
    /// Cost: linear in the bytes of the kept events.
    pub(super) fn drop_kept_if_any_has(&mut self, text: &[u8]) {
        let has = |frame: &Frame| {
            let bytes = frame.clone().into_bytes();
            bytes.windows(text.len()).any(|part| part == text)
        };
        if self.kept.iter().any(has) {
            self.kept.clear();
        }
    }

    /// Numbers an event and sends it to everybody who follows.
    pub(super) fn tell(&mut self, event: &AccountEvent) {
        self.seq = self.seq.next();
        let frame = Frame::account(self.info.id, self.seq, event);
        if self.kept.len() == KEPT {
            self.kept.pop_front();
        }
        self.kept.push_back(frame.clone());
        if planted::shows("skip_account_event", 9) {
            return;
        }
        for follower in &self.followers {
            follower.push_or_close(Outgoing::Frame(frame.clone()));
        }
    }
}
