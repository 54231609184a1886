//! How a client goes to the lobby, and what must hold there: a seek ends once, and leads to one match, which is stored.

use std::collections::BTreeMap;

use grundy_shared::event::TimeControl;
use grundy_shared::ids::{MatchId, Millis, Seat, SeekId};
use grundy_shared::protocol::client::{Seek, Seeks, Side, Take, WithdrawSeek};
use grundy_shared::protocol::lobby::{BotFilter, SeekInfo, Window};

use crate::acts::POSITIONS;
use crate::client::Client;
use crate::known::Known;
use crate::seeking::FIRST_CLOCK_MS;
use crate::talk::{Ask, Talk};
use crate::world::World;

/// Seeks that a client remembers of the last list.
const REMEMBERED: usize = 8;

/// What a client knows of the lobby.
#[derive(Default)]
pub(crate) struct Seen {
    /// Others' seeks in the last list.
    offered: Vec<SeekId>,
    /// The seek that it asked for, if no answer came: it is asked for again.
    taking: Option<SeekId>,
}

/// What everybody has heard: the match of each seek.
#[derive(Default)]
pub(crate) struct Lounge {
    made: BTreeMap<SeekId, MatchId>,
}

impl Lounge {
    fn leads_to(&mut self, seek: SeekId, made: MatchId) -> Result<(), String> {
        let first = *self.made.entry(seek).or_insert(made);
        match first == made {
            true => Ok(()),
            false => Err(format!("seek {seek} led to {first} and then to {made}")),
        }
    }
}

impl World {
    /// A match that somebody hears of because of a seek is stored, and is the only one of that seek.
    fn found(&self, seek: SeekId, made: MatchId) {
        if !self.disk.any(made, |_| true) {
            self.wrong(format!("{made} of seek {seek} is not stored"));
        }
        let leads = self.lounge().leads_to(seek, made);
        if let Err(error) = leads {
            self.wrong(error);
        }
    }
}

impl Client {
    /// Does something in the lobby.
    pub(crate) fn go_to_the_lobby(&mut self, talk: &mut Talk) {
        if talk.waits(|ask| matches!(ask, Ask::Take(_))) {
            return;
        }
        if let Some(seek) = self.seen.taking {
            return self.take_seek(talk, seek);
        }
        match self.dice.below(8) {
            0..3 => self.open_seek(talk),
            3..6 if !self.seen.offered.is_empty() => {
                let seek = *self.dice.pick(&self.seen.offered);
                self.take_seek(talk, seek);
            }
            6 if !talk.seeks.is_empty() => {
                let id = *self.dice.pick(&talk.seeks);
                let seek = id.to_string();
                talk.ask(Ask::WithdrawSeek(id), WithdrawSeek { seek });
            }
            _ => talk.ask(Ask::Seeks, Seeks::default()),
        }
    }

    fn open_seek(&mut self, talk: &mut Talk) {
        let automatic = *self
            .dice
            .pick(&[None, Some(Window::Exact), Some(Window::Any)]);
        let clock = match automatic {
            // One that others ask for, too.
            Some(Window::Exact) => TimeControl::Delay {
                base_ms: Millis(5_000),
                delay_ms: Millis(100),
            },
            // A clock of its own, as each challenge has: it tells which match came of which seek.
            _ => TimeControl::Fischer {
                base_ms: Millis(FIRST_CLOCK_MS + self.world.board().next_challenge()),
                increment_ms: Millis(0),
            },
        };
        let seek = Seek {
            position: (*self.dice.pick(POSITIONS)).to_owned(),
            clock,
            games: 1,
            rated: false,
            side: *self.dice.pick(&[Side::First, Side::Second, Side::Random]),
            bots: *self
                .dice
                .pick(&[BotFilter::Yes, BotFilter::Yes, BotFilter::No]),
            automatic,
        };
        talk.ask(Ask::Seek, seek);
    }

    fn take_seek(&mut self, talk: &mut Talk, id: SeekId) {
        self.seen.taking = Some(id);
        let seek = id.to_string();
        talk.ask(Ask::Take(id), Take { seek });
    }

    /// Takes in the answer to `seeks`.
    pub(crate) fn sees(&mut self, talk: &Talk, seeks: &[SeekInfo]) {
        let me = self.player;
        let others = seeks.iter().filter(|seek| Some(seek.player.id) != me);
        self.seen.offered = others.map(|seek| seek.seek).take(REMEMBERED).collect();
        if let Some(hidden) = seeks
            .iter()
            .find(|seek| Some(seek.player.id) != me && !seek.bots.admits(self.bot))
        {
            self.world.wrong(format!(
                "link {}: seek {} is shown to a client that it does not admit",
                talk.link.number, hidden.seek
            ));
        }
    }

    /// Takes in that `take` made a match, or found the one that it had made.
    pub(crate) fn took(&mut self, seek: SeekId, made: MatchId) {
        self.seen.taking = None;
        self.world.found(seek, made);
    }

    /// Takes in that a seek of this connection has ended.
    pub(crate) fn seek_ended(
        &mut self,
        talk: &mut Talk,
        seek: SeekId,
        made: Option<(MatchId, Seat)>,
    ) {
        let Some(at) = talk.seeks.iter().position(|open| *open == seek) else {
            return self.world.wrong(format!(
                "link {}: seek {seek} ended twice, or is another connection's",
                talk.link.number
            ));
        };
        talk.seeks.swap_remove(at);
        if let Some((made, seat)) = made {
            self.world.found(seek, made);
            let known = self.known.entry(made);
            known.or_insert_with(|| Known::new(Some(seat))).seat = Some(seat);
        }
    }

    /// Takes in that a take was refused for good.
    pub(crate) fn may_not_take(&mut self, seek: SeekId) {
        self.seen.taking = None;
        self.seen.offered.retain(|offered| *offered != seek);
    }
}
