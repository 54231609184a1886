//! Making matches. Durable before anybody hears of one.

use bytes::Bytes;
use grundy_shared::bot::Bot;
use grundy_shared::event::{Event, PlayerInfo, Series, TimeControl, TournamentGame};
use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, Seat, Seq};
use grundy_shared::protocol::account::DeclineReason;
use grundy_shared::protocol::{ErrorBody, ErrorCode};
use grundy_shared::referee::{Command, Decision, Referee, Terms};

use super::effects::{YOURS, of_guard};
use super::frame::Frame;
use super::machine::{Beginning, Origin};
use super::registry::Matches;
use super::{builtin, quota, rebuild, refusal};
use crate::analysis::Owner;
use crate::costly::{self, OffServing};
use crate::planted;
use crate::quotas::{Resource, Source};
use crate::store::{
    AddressDigest, Commit, CommitError, Guard, MatchRow, MatchStatus, Projection, Unique,
};

/// Ids drawn for one new match before giving up: each is free with overwhelming probability.
const DRAWS: usize = 8;

/// A match to be created, as its creator asks for it.
#[derive(Clone, Debug)]
pub struct NewMatch {
    /// The start position, as typed.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// How many games are played, one after another with sides swapped: 1, or the even number of a series.
    pub games: u32,
    /// Whether they are a rated pair.
    pub rated: bool,
    /// The creator's side; any, if none.
    pub seat: Option<Seat>,
    /// Who takes the other seat.
    pub against: Rival,
    /// The creator's own name for the request.
    pub client_create_id: Option<ClientCreateId>,
}

/// Who takes the other seat of a new match.
#[derive(Clone, PartialEq, Debug)]
pub enum Rival {
    /// Whoever comes with the join code.
    Invited,
    /// A built-in bot, at once.
    Bot(Bot),
    /// This player, at once, and both clocks are held until both players are here.
    Player {
        /// The player.
        info: PlayerInfo,
        /// Unfinished matches that the player takes, this one included, if fewer than others may have.
        at_most: Option<u32>,
    },
}

/// A match that was created.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Created {
    /// The match.
    pub id: MatchId,
    /// The creator's seat.
    pub seat: Seat,
    /// The invitation, and when it expires.
    pub code: Option<(JoinCode, Millis)>,
}

/// A game of a tournament that is to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewGame {
    /// The id of its match.
    pub id: MatchId,
    /// Which game it is.
    pub game: TournamentGame,
    /// The start position.
    pub position: String,
    /// The clocks.
    pub clock: TimeControl,
    /// The players by their seats.
    pub players: [PlayerInfo; 2],
}

/// A match as it is to be stored.
struct Draft {
    referee: Referee,
    events: Vec<Event>,
    seat: Seat,
}

impl Matches {
    /// Makes a match, or finds the one that was made under the same name.
    ///
    /// # Errors
    /// The refusal.
    pub async fn create(
        &self,
        creator: PlayerInfo,
        wanted: NewMatch,
        from: Source,
    ) -> Result<Created, ErrorBody> {
        let owner = Owner::at(from.address.0, Some(creator.id));
        if let Some(made) = self.made_before(owner, &creator, &wanted).await? {
            return Ok(made);
        }
        self.check_takes_matches()?;
        self.create_with(creator, wanted, from, |_, _| Vec::new())
            .await
    }

    /// Whether this server takes new matches.
    ///
    /// # Errors
    /// `shutting_down`, or that of an operator's drain.
    pub fn check_takes_matches(&self) -> Result<(), ErrorBody> {
        let lifecycle = &self.host.lifecycle;
        match lifecycle.accepts_matches() {
            true => Ok(()),
            false => Err(refusal::no_new_matches(lifecycle)),
        }
    }

    /// The same, with what else the commit changes once the match and the creator's seat are known. An operator's drain is the caller's to
    /// check: of servers that share a store, one makes matches for players of all.
    ///
    /// # Errors
    /// The refusal; [`refusal::is_settled`] if a word of the commit would settle what is settled.
    pub async fn create_with(
        &self,
        creator: PlayerInfo,
        wanted: NewMatch,
        from: Source,
        changes: impl Fn(MatchId, Seat) -> Vec<Projection>,
    ) -> Result<Created, ErrorBody> {
        let host = &self.host;
        let (address, counted) = (from.address, from.counted());
        let owner = Owner::at(address.0, Some(creator.id));
        if let Some(made) = self.made_before(owner, &creator, &wanted).await? {
            return Ok(made);
        }
        let now = host.clock.now();
        let mut id = MatchId::from_random(host.chance.bits());
        let mut draft = self.draft(owner, &creator, &wanted, id, now).await?;
        if host.lifecycle.is_draining() {
            return Err(refusal::shutting_down());
        }
        self.check_quotas(&creator, counted)?;
        let lasts = match wanted.against {
            Rival::Invited => rebuild::has_password(&*host.store, creator.id).await,
            Rival::Bot(_) | Rival::Player { .. } => Ok(false),
        };
        let lasts = lasts.map_err(|error| refusal::of_store(&error))?;
        for drawn in 0..DRAWS {
            if drawn > 0 {
                id = MatchId::from_random(host.chance.bits());
                draft = self.draft(owner, &creator, &wanted, id, now).await?;
            }
            let Some(reservation) = self.reserve(id) else {
                continue;
            };
            let code = (wanted.against == Rival::Invited).then(|| {
                let expires_at = now.plus(host.policy.join_code_ms);
                (JoinCode::from_random(host.chance.bits()), expires_at)
            });
            let numbered = (1..).zip(&draft.events);
            let (frames, bodies): (Vec<_>, Vec<_>) = numbered
                .map(|(seq, event)| Frame::of_event(id, Seq(seq), event))
                .unzip();
            let mut commit = self.commit_of(id, &draft.referee, bodies, code, now);
            let used = quota::used_by(&commit);
            if let Some(address) = counted {
                let guards = [
                    host.policy.room_from(address),
                    host.policy.share_of(address),
                ];
                commit.guards.extend(guards);
            }
            commit.projections.push(Projection::Address {
                match_id: id,
                address,
            });
            if let Rival::Player { info, at_most } = &wanted.against {
                commit
                    .guards
                    .extend(at_most.map(|at_most| Guard::OpenMatches {
                        of: Some(info.id),
                        at_most,
                    }));
            }
            if let Some(name) = &wanted.client_create_id {
                commit.projections.push(Projection::CreateId {
                    player: creator.id,
                    client_create_id: name.clone(),
                    match_id: id,
                });
            }
            commit.projections.extend(changes(id, draft.seat));
            match host.committer.commit(commit).await {
                Ok(()) => {
                    host.quotas.count(now, &used, counted, [creator.id]);
                    let beginning = Beginning {
                        referee: draft.referee,
                        recent: frames,
                        invitation: code,
                        lasts,
                        address: Some(address),
                        origin: match wanted.against {
                            Rival::Player { .. } => Origin::Rematch,
                            Rival::Invited | Rival::Bot(_) => Origin::Made,
                        },
                    };
                    reservation.fulfil(beginning);
                    let seat = draft.seat;
                    return Ok(Created { id, seat, code });
                }
                // Another id, or another code.
                Err(CommitError::Conflict { .. } | CommitError::Taken(Unique::JoinCode)) => {}
                // Asked twice at once.
                Err(CommitError::Taken(Unique::CreateId)) => {
                    let made = self.made_before(owner, &creator, &wanted).await?;
                    return made.ok_or_else(refusal::internal);
                }
                Err(CommitError::Taken(Unique::Word)) => return Err(refusal::settled()),
                Err(CommitError::Full(guard)) => return Err(refused(guard, &wanted)),
                Err(error) => return Err(refusal::of_commit(&error)),
            }
        }
        Err(refusal::busy("no free id was found"))
    }

    /// Makes the match of a game of a tournament, unless it is there. Durable when this returns.
    ///
    /// # Errors
    /// The refusal: the server has no room, or the store cannot write.
    pub async fn create_game(&self, new: NewGame) -> Result<(), ErrorBody> {
        let host = &self.host;
        // None if it is here, or if somebody asks for it already: then it is read from its log.
        let reservation = self.reserve(new.id);
        if host.lifecycle.is_draining() {
            return Err(refusal::shutting_down());
        }
        let terms = Terms {
            position: new.position,
            clock: new.clock,
            rematch_of: None,
            series: None,
        };
        let now = host.clock.now();
        let (position, game, players) = (terms.position.clone(), new.game, new.players);
        let make =
            move |_| Referee::create_for_tournament(terms.clone(), game, players.clone(), now);
        let made = self.about(Owner::SERVER, &position, false, make).await?;
        let (referee, events) = made.map_err(|refused| refusal::of_referee(&refused))?;
        let numbered = (1..).zip(&events);
        let (frames, bodies): (Vec<_>, Vec<_>) = numbered
            .map(|(seq, event)| Frame::of_event(new.id, Seq(seq), event))
            .unzip();
        let commit = Commit::append(new.id, Seq(0), bodies)
            .with_row(new.id, MatchRow::of(&referee, None))
            .guarded(host.policy.room_on_server());
        match host.committer.commit(commit).await {
            Ok(()) => {
                let beginning = Beginning {
                    referee,
                    recent: frames,
                    invitation: None,
                    lasts: false,
                    address: None,
                    origin: Origin::Tournament,
                };
                match reservation {
                    Some(reservation) => reservation.fulfil(beginning),
                    None => self.begin_or_add(new.id, beginning),
                }
                Ok(())
            }
            // It was made before: where nobody has read it yet, the reservation does.
            Err(CommitError::Conflict { stream, .. }) if stream == new.id.into() => Ok(()),
            Err(CommitError::Full(guard)) => Err(of_guard(guard, YOURS)),
            Err(error) => Err(refusal::of_commit(&error)),
        }
    }

    /// Whether the quotas and the disk let this player create one more match there.
    ///
    /// # Errors
    /// `rate_limited`, `read_only`.
    pub(super) fn check_quotas(
        &self,
        player: &PlayerInfo,
        counted: Option<AddressDigest>,
    ) -> Result<(), ErrorBody> {
        refusal::of_reserve(&self.host.reserve)?;
        if planted::is("no_daily_quota") {
            return Ok(());
        }
        let uses = [Resource::Bytes, Resource::Matches];
        let (quotas, now) = (&self.host.quotas, self.host.clock.now());
        let checked = quotas.check(now, &uses, counted, Some(player.id));
        checked.map_err(|used_up| refusal::used_up(&self.host.metrics, used_up))
    }

    /// The match as it is to be stored, for this owner: its start is read, played and judged in one piece of work.
    async fn draft(
        &self,
        owner: Owner,
        creator: &PlayerInfo,
        wanted: &NewMatch,
        id: MatchId,
        now: Millis,
    ) -> Result<Draft, ErrorBody> {
        let seat = wanted
            .seat
            .unwrap_or_else(|| match self.host.chance.coin() {
                true => Seat::First,
                false => Seat::Second,
            });
        let (creator, draft) = (creator.clone(), wanted.clone());
        let draft = move |leave| Draft::of(leave, &creator, &draft, seat, id, now);
        self.about(owner, &wanted.position, wanted.rated, draft)
            .await?
    }
}

impl Draft {
    fn of(
        leave: Option<OffServing>,
        creator: &PlayerInfo,
        wanted: &NewMatch,
        seat: Seat,
        id: MatchId,
        now: Millis,
    ) -> Result<Self, ErrorBody> {
        let of_referee = |refused| refusal::of_referee(&refused);
        let start = costly::read(leave, &wanted.position);
        let start = start.map_err(|error| refusal::of_notation(&error))?;
        let terms = Terms {
            position: wanted.position.clone(),
            clock: wanted.clock,
            rematch_of: None,
            series: Series::first(id, wanted.games, wanted.rated).map_err(of_referee)?,
        };
        let creator = creator.clone();
        let hold = matches!(wanted.against, Rival::Player { .. });
        let created = Referee::create_from(start, terms, creator, seat, now, hold);
        let (mut referee, mut events) = created.map_err(of_referee)?;
        let rated = leave.filter(|_| wanted.rated);
        if rated.is_some_and(|leave| costly::is_forced(leave, referee.start())) {
            return Err(refusal::forced_start(referee.start()));
        }
        let rival = match &wanted.against {
            Rival::Invited => None,
            Rival::Bot(bot) => Some(builtin::player(bot)),
            Rival::Player { info, .. } => Some(info.clone()),
        };
        if let Some(player) = rival
            && let Ok(Decision::Events(joined)) = referee.handle(now, &Command::Join { player })
        {
            let joined = referee.accept(joined).map_err(|_| refusal::internal())?;
            events.extend(joined);
        }
        Ok(Self {
            referee,
            events,
            seat,
        })
    }
}

impl Matches {
    fn commit_of(
        &self,
        id: MatchId,
        referee: &Referee,
        events: Vec<Bytes>,
        code: Option<(JoinCode, Millis)>,
        now: Millis,
    ) -> Commit {
        let policy = &self.host.policy;
        let mut commit = Commit::append(id, Seq(0), events)
            .with_row(id, MatchRow::of(referee, None))
            .guarded(policy.room_on_server());
        for player in people(referee) {
            commit = commit.guarded(policy.room_of(player));
        }
        if planted::is("no_quota") {
            commit.guards.clear();
        }
        commit
            .projections
            .extend(code.map(|(code, expires_at)| Projection::JoinCode {
                code,
                match_id: id,
                at: now,
                expires_at,
            }));
        commit
    }

    /// The match that this player has made under this name, if it has the same content.
    async fn made_before(
        &self,
        owner: Owner,
        creator: &PlayerInfo,
        wanted: &NewMatch,
    ) -> Result<Option<Created>, ErrorBody> {
        let Some(name) = &wanted.client_create_id else {
            return Ok(None);
        };
        let store = &self.host.store;
        let found = store.find_create_id(creator.id, name).await;
        let Some(id) = found.map_err(|error| refusal::of_store(&error))? else {
            return Ok(None);
        };
        let row = store.row(id).await;
        let row = row.map_err(|error| self.unreadable(id, &error))?;
        let row = row.ok_or_else(refusal::internal)?;
        let sits = |player: &Option<PlayerInfo>| {
            player
                .as_ref()
                .is_some_and(|player| player.id == creator.id)
        };
        let seat = match sits(&row.first) {
            true => Seat::First,
            false => Seat::Second,
        };
        // The creator's client sends again what it has sent, which is often written as it is stored.
        let is_same_start = wanted.position == row.start
            || row.start
                == self
                    .read_position(owner, &wanted.position)
                    .await?
                    .to_string();
        if !is_same_start || !is_same(&row, seat, wanted) {
            let words = "this client_create_id was used for another match: use a new one for each new match";
            return Err(
                ErrorBody::new(ErrorCode::IdempotencyConflict, words).field("client_create_id")
            );
        }
        let code = match row.status {
            MatchStatus::Waiting => rebuild::code_of(&**store, id, creator.id).await,
            MatchStatus::Live | MatchStatus::Over => Ok(None),
        };
        let code = code.map_err(|error| refusal::of_store(&error))?;
        Ok(Some(Created { id, seat, code }))
    }
}

/// Whether a stored match has the content that is wanted now, apart from its start.
fn is_same(row: &MatchRow, seat: Seat, wanted: &NewMatch) -> bool {
    let opponent = match seat {
        Seat::First => &row.second,
        Seat::Second => &row.first,
    };
    let bot = opponent.as_ref().and_then(builtin::bot_of);
    row.clock == wanted.clock
        && row.series.map_or(1, |series| series.games) == wanted.games
        && row.series.is_some_and(|series| series.rated) == wanted.rated
        && wanted.seat.is_none_or(|wanted_seat| wanted_seat == seat)
        && match &wanted.against {
            Rival::Invited => bot.is_none(),
            Rival::Bot(wanted) => bot.as_ref() == Some(wanted),
            Rival::Player { info, .. } => {
                opponent.as_ref().is_some_and(|player| player.id == info.id)
            }
        }
}

/// What the client is told when there is no room; that the rival has none is said of the field that names it.
fn refused(guard: Guard, wanted: &NewMatch) -> ErrorBody {
    match (&wanted.against, guard) {
        (Rival::Player { info, .. }, Guard::OpenMatches { of, .. }) if of == Some(info.id) => {
            ErrorBody {
                reason: Some(DeclineReason::TooManyMatches),
                ..of_guard(guard, "the player already has")
            }
            .field("player")
        }
        _ => of_guard(guard, YOURS),
    }
}

/// Who plays and is no built-in bot.
fn people(referee: &Referee) -> impl Iterator<Item = &PlayerInfo> {
    let seated = Seat::BOTH
        .into_iter()
        .filter_map(|seat| referee.player(seat));
    seated.filter(|player| builtin::bot_of(player).is_none())
}
