//! The seeks that a server knows, behind one lock. Each ends exactly once.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Bound;

use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, SeekId};
use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::lobby::{Automatic, SeekEnd, SeekInfo, Window};
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::pairing::{self, Wish};
use super::refusals::{declined, no_such_seek};
use crate::matches::refusal;

/// Takes that are remembered, so that one that is repeated gets the same match.
const TAKES_MAX: usize = 1_000;

/// Whether a seek can be taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Open,
    /// Its match is being made: by this player, or by a wave.
    Claimed(Option<PlayerId>),
    /// The same, and its connection has gone: it never stands open again.
    Left,
}

#[derive(Debug)]
struct Seek<C> {
    info: SeekInfo,
    number: u64,
    family: String,
    games: Vec<&'static str>,
    connection: C,
    standing: Standing,
    /// Its connection has ended.
    deserted: bool,
}

/// A seek that was taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Taken {
    seek: SeekId,
    by: PlayerId,
    pub(super) made: MatchId,
    /// The seat of the player who took it.
    pub(super) seat: Seat,
}

/// A seek whose match is to be made. Nobody else can take it before it is settled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Claim<C> {
    pub(super) info: SeekInfo,
    pub(super) connection: C,
}

/// What a request to take a seek came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Take<C> {
    /// The same player has taken it before.
    Again(Taken),
    /// The match is to be made.
    Now(Claim<C>),
}

/// How a claim is settled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Settled {
    /// The match is stored; with it the player who took the seek, if it was no wave, and that player's seat.
    Made(Option<(PlayerId, MatchId, Seat)>),
    /// The seeker has no room for another match.
    Full,
    /// The server has looked for long enough.
    GaveUp,
    /// The match was not made for another reason.
    Failed,
}

/// What a wave has found.
#[derive(Debug)]
pub(super) struct Wave<C> {
    /// The first of a pair is the one whose terms are played.
    pub(super) pairs: Vec<(Claim<C>, Claim<C>)>,
    pub(super) given_up: Vec<Claim<C>>,
    /// How often two seekers were compared.
    pub(super) compared: u64,
}

/// A new seek.
#[derive(Clone, Debug)]
pub(super) struct NewSeek<C> {
    pub(super) info: SeekInfo,
    /// The names of its games.
    pub(super) games: Vec<&'static str>,
    pub(super) connection: C,
}

/// When a seek counts as deserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Deserted {
    /// It has no connection.
    Always,
    /// If its connection was said to have ended.
    IfSaid,
    /// Another server says so.
    Never,
}

/// How many seeks there may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Bounds {
    pub(super) per_player: usize,
    pub(super) in_all: usize,
}

/// All seeks.
#[derive(Debug)]
pub(super) struct State<C> {
    seeks: BTreeMap<SeekId, Seek<C>>,
    of_player: FxHashMap<PlayerId, Vec<SeekId>>,
    /// How many ask for automatic matching.
    automatic: usize,
    number: u64,
    takes: VecDeque<Taken>,
}

impl<C> Default for State<C> {
    fn default() -> Self {
        Self {
            seeks: BTreeMap::new(),
            of_player: FxHashMap::default(),
            automatic: 0,
            number: 0,
            takes: VecDeque::new(),
        }
    }
}

impl<C: Clone + PartialEq> State<C> {
    /// How many seeks there are.
    pub(super) fn len(&self) -> usize {
        self.seeks.len()
    }

    /// Whether a wave has anything to do.
    pub(super) fn needs_waves(&self) -> bool {
        self.automatic > 0
    }

    /// Adds a seek.
    pub(super) fn open(&mut self, new: NewSeek<C>, bounds: Bounds) -> Result<(), ErrorBody> {
        let player = new.info.player.id;
        if self.seeks.len() >= bounds.in_all || self.seeks.contains_key(&new.info.seek) {
            return Err(refusal::busy("the lobby is full"));
        }
        let own = self.of_player.entry(player).or_default();
        if own.len() >= bounds.per_player {
            let words = "you already have as many open seats as allowed";
            return Err(ErrorBody::new(ErrorCode::TooMany, words).limit(bounds.per_player));
        }
        let is_automatic = |seek: &SeekInfo| seek.automatic.is_some();
        let mut others = own.iter().filter_map(|id| self.seeks.get(id));
        if is_automatic(&new.info) && others.any(|seek| is_automatic(&seek.info)) {
            let words = "the server is already looking for an opponent for you";
            return Err(ErrorBody::new(ErrorCode::TooMany, words)
                .field("automatic")
                .limit(1));
        }
        own.push(new.info.seek);
        self.automatic += usize::from(is_automatic(&new.info));
        self.number += 1;
        let mut family = new.games.clone();
        family.sort_unstable();
        let seek = Seek {
            number: self.number,
            family: family.join("+"),
            games: new.games,
            connection: new.connection,
            standing: Standing::Open,
            deserted: false,
            info: new.info,
        };
        self.seeks.insert(seek.info.seek, seek);
        Ok(())
    }

    fn remove(&mut self, id: SeekId) -> Option<Seek<C>> {
        let seek = self.seeks.remove(&id)?;
        let player = seek.info.player.id;
        if let Some(own) = self.of_player.get_mut(&player) {
            own.retain(|other| *other != id);
            if own.is_empty() {
                self.of_player.remove(&player);
            }
        }
        self.automatic -= usize::from(seek.info.automatic.is_some());
        Some(seek)
    }

    /// The seeks that a player can take, and the player's own, after this one in the order of ids; and whether there are more.
    pub(super) fn list(
        &self,
        asker: &PlayerInfo,
        game: Option<&str>,
        after: Option<SeekId>,
        limit: usize,
    ) -> (Vec<SeekInfo>, bool) {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let seeks = self.seeks.range((from, Bound::Unbounded));
        let shown = |seek: &&Seek<C>| {
            seek.standing == Standing::Open
                && !seek.deserted
                && (seek.info.player.id == asker.id || seek.info.bots.admits(asker.bot))
                && game.is_none_or(|game| seek.games.contains(&game))
        };
        let mut found = seeks.map(|(_, seek)| seek).filter(shown);
        let page = found.by_ref().take(limit);
        let page = page.map(|seek| seek.info.clone()).collect();
        (page, found.next().is_some())
    }

    /// A player takes a seek.
    pub(super) fn take(&mut self, id: SeekId, by: &PlayerInfo) -> Result<Take<C>, ErrorBody> {
        let before = self
            .takes
            .iter()
            .find(|taken| taken.seek == id && taken.by == by.id);
        if let Some(taken) = before {
            return Ok(Take::Again(*taken));
        }
        let missing = || no_such_seek(&id.to_string());
        let seek = self.seeks.get_mut(&id).ok_or_else(missing)?;
        if seek.info.player.id == by.id {
            let words = "this open seat is your own: somebody else has to take it";
            return Err(ErrorBody::new(ErrorCode::OwnMatch, words).field("seek"));
        }
        match seek.standing {
            Standing::Open => {}
            Standing::Claimed(Some(claimed)) if claimed == by.id => return Err(being_taken()),
            Standing::Claimed(_) | Standing::Left => return Err(missing()),
        }
        if !seek.info.bots.admits(by.bot) {
            return Err(declined(if by.bot {
                DeclineReason::NoBots
            } else {
                DeclineReason::OnlyBots
            }));
        }
        seek.standing = Standing::Claimed(Some(by.id));
        Ok(Take::Now(Claim {
            info: seek.info.clone(),
            connection: seek.connection.clone(),
        }))
    }

    /// Ends or reopens a seek whose match was to be made; how it ended, if its connection is to be told.
    pub(super) fn settle(&mut self, id: SeekId, settled: Settled) -> Option<SeekEnd> {
        let end = match settled {
            Settled::Failed => {
                let seek = self.seeks.get_mut(&id)?;
                match seek.standing {
                    Standing::Left => {
                        self.remove(id);
                    }
                    Standing::Open | Standing::Claimed(_) => seek.standing = Standing::Open,
                }
                return None;
            }
            Settled::Full => SeekEnd::TooManyMatches,
            Settled::GaveUp => SeekEnd::GaveUp,
            Settled::Made(None) => SeekEnd::Matched,
            Settled::Made(Some((by, made, seat))) => {
                if self.takes.len() == TAKES_MAX {
                    self.takes.pop_front();
                }
                self.takes.push_back(Taken {
                    seek: id,
                    by,
                    made,
                    seat,
                });
                SeekEnd::Taken
            }
        };
        let seek = self.remove(id)?;
        (seek.standing != Standing::Left).then_some(end)
    }

    /// Whether the seeker may withdraw a seek.
    pub(super) fn check_withdraws(&self, id: SeekId, player: PlayerId) -> Result<(), ErrorBody> {
        let own = |seek: &&Seek<C>| seek.info.player.id == player;
        match self.seeks.get(&id).filter(own).map(|seek| seek.standing) {
            None => Err(no_such_seek(&id.to_string())),
            Some(Standing::Open) => Ok(()),
            Some(Standing::Claimed(_) | Standing::Left) => Err(being_taken()),
        }
    }

    /// Ends a seek of which nobody is told.
    pub(super) fn drop_seek(&mut self, id: SeekId) {
        self.remove(id);
    }

    /// Ends the seeks of these connections, also those whose matches are being made.
    pub(super) fn drop_all(&mut self, of: impl Fn(&C) -> bool) {
        let over = self.seeks.values().filter(|seek| of(&seek.connection));
        let over: Vec<SeekId> = over.map(|seek| seek.info.seek).collect();
        for id in over {
            self.remove(id);
        }
    }

    /// A connection of this player has ended, and this server is about to say so of its seeks.
    pub(super) fn desert(&mut self, player: PlayerId, connection: &C) {
        for id in self.of_player.get(&player).into_iter().flatten() {
            if let Some(seek) = self.seeks.get_mut(id)
                && seek.connection == *connection
            {
                seek.deserted = true;
            }
        }
    }

    /// The seeks of these connections that are deserted. Cost: linear in the seeks.
    pub(super) fn deserted(&self, of: impl Fn(&C) -> Deserted) -> Vec<SeekId> {
        let over = self
            .seeks
            .values()
            .filter(|seek| match of(&seek.connection) {
                Deserted::Always => true,
                Deserted::IfSaid => seek.deserted,
                Deserted::Never => false,
            });
        over.map(|seek| seek.info.seek).collect()
    }

    /// Where the seeker is.
    pub(super) fn place_of(&self, id: SeekId) -> Option<C> {
        self.seeks.get(&id).map(|seek| seek.connection.clone())
    }

    /// Every seek with the names of its games, in the order in which they were opened.
    pub(super) fn all(&self) -> impl Iterator<Item = (&SeekInfo, &[&'static str], &C)> {
        let mut all: Vec<&Seek<C>> = self.seeks.values().collect();
        all.sort_unstable_by_key(|seek| seek.number);
        let all = all.into_iter();
        all.map(|seek| (&seek.info, &*seek.games, &seek.connection))
    }

    /// The takes that are remembered.
    pub(super) fn takes(&self) -> &VecDeque<Taken> {
        &self.takes
    }

    /// Takes over the takes that others remember.
    pub(super) fn remember(&mut self, takes: VecDeque<Taken>) {
        self.takes = takes;
    }

    /// A connection of this player ends, and with it its seeks.
    pub(super) fn leave(&mut self, player: PlayerId, connection: &C) {
        let own = self.of_player.get(&player).cloned().unwrap_or_default();
        for id in own {
            let Some(seek) = self.seeks.get_mut(&id) else {
                continue;
            };
            if seek.connection != *connection {
                continue;
            }
            match seek.standing {
                Standing::Open => {
                    self.remove(id);
                }
                Standing::Claimed(_) | Standing::Left => seek.standing = Standing::Left,
            }
        }
    }

    /// A seek of this player.
    pub(super) fn seek_of(&self, player: PlayerId) -> Option<SeekId> {
        self.of_player.get(&player)?.first().copied()
    }

    /// A player has another name.
    pub(super) fn rename(&mut self, player: PlayerId, name: &str) {
        for id in self.of_player.get(&player).into_iter().flatten() {
            if let Some(seek) = self.seeks.get_mut(id) {
                name.clone_into(&mut seek.info.player.name);
            }
        }
    }

    /// Gives up those whose time is over, and pairs the others who ask for it. Cost: see [`pairing`].
    pub(super) fn wave(&mut self, now: Millis) -> Wave<C> {
        if !self.needs_waves() {
            return Wave {
                pairs: Vec::new(),
                given_up: Vec::new(),
                compared: 0,
            };
        }
        // One whose time is over is not paired any more: its match might never be made, and it would never hear of that.
        let is_over = |seek: &&Seek<C>| {
            let over = |automatic: &Automatic| automatic.gives_up_at_ms <= now;
            seek.standing == Standing::Open && seek.info.automatic.as_ref().is_some_and(over)
        };
        let over = self.seeks.values().filter(is_over);
        let over: Vec<SeekId> = over.map(|seek| seek.info.seek).collect();
        let given_up = over.into_iter().filter_map(|id| self.claim(id)).collect();
        let wishes = self.wishes(now);
        let found = pairing::pair(&wishes);
        let pairs: Vec<_> = found
            .pairs
            .iter()
            .map(|&(one, other)| (wishes[one].seek, wishes[other].seek))
            .collect();
        let pairs = pairs
            .into_iter()
            .filter_map(|(one, other)| Some((self.claim(one)?, self.claim(other)?)))
            .collect();
        Wave {
            pairs,
            given_up,
            compared: found.compared,
        }
    }

    fn claim(&mut self, id: SeekId) -> Option<Claim<C>> {
        let seek = self.seeks.get_mut(&id)?;
        seek.standing = Standing::Claimed(None);
        Some(Claim {
            info: seek.info.clone(),
            connection: seek.connection.clone(),
        })
    }

    /// Of each player one open seek: the one with automatic matching, else the oldest.
    fn wishes(&self, now: Millis) -> Vec<Wish<'_>> {
        let mut of_player: BTreeMap<PlayerId, &Seek<C>> = BTreeMap::new();
        for seek in self.seeks.values() {
            if seek.standing != Standing::Open {
                continue;
            }
            let rank = |seek: &Seek<C>| (seek.info.automatic.is_none(), seek.number);
            let chosen = of_player.entry(seek.info.player.id).or_insert(seek);
            if rank(seek) < rank(chosen) {
                *chosen = seek;
            }
        }
        let wishes = of_player.into_values().map(|seek| Wish {
            seek: seek.info.seek,
            number: seek.number,
            player: &seek.info.player,
            position: &seek.info.position,
            family: &seek.family,
            clock: seek.info.clock,
            games: seek.info.games,
            rated: seek.info.rated,
            side: seek.info.side,
            bots: seek.info.bots,
            window: seek.info.automatic.map(|automatic| window(automatic, now)),
        });
        wishes.collect()
    }
}

/// How far the window of a seek is open at this moment, and what it accepts at most.
fn window(automatic: Automatic, now: Millis) -> (Window, Window) {
    let reached = match now {
        now if now >= automatic.any_at_ms => Window::Any,
        now if now >= automatic.near_at_ms => Window::Near,
        _ => Window::Exact,
    };
    (reached, automatic.widest)
}

fn being_taken() -> ErrorBody {
    refusal::busy("the match of this open seat is being created")
}
