//! The state of a match from its log.

use grundy_shared::event::Event;
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::referee::{Referee, ReplayError, Status};
use grundy_shared::solver::Budget;

use super::builtin;
use super::host::Host;
use crate::analysis::{Length, Owner};
use crate::costly::{self, OffServing};
use crate::planted;
use crate::store::{AddressDigest, LIST_PAGE, LOAD_PAGE, Logged, Store, StoreError};

/// Why a match could not be rebuilt.
#[derive(Debug, thiserror::Error)]
pub(super) enum RebuildError {
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The log skips a number.
    #[error("event {seq} is missing")]
    Missing { seq: Seq },
    /// An event is not one.
    #[error("event {seq} cannot be read: {why}")]
    Unreadable { seq: Seq, why: serde_json::Error },
    /// The events contradict the rules.
    #[error(transparent)]
    Broken(#[from] ReplayError),
}

/// What the log of a match says; `None` when there is no such match. Cost: linear in its events. A log that is not small is replayed on the solver's threads, for
/// this owner; if they have no room, the store is busy.
pub(super) async fn load(
    host: &Host,
    owner: Owner,
    id: MatchId,
) -> Result<Option<Referee>, RebuildError> {
    let Some(log) = log_of(&*host.store, id).await? else {
        return Ok(None);
    };
    if costly::is_small_log(log.iter().map(|logged| &*logged.body)) {
        return replay(OffServing::by_design(), &log).map(Some);
    }
    let replayed = move |budget: &Budget<'_>| replay(OffServing::with(budget), &log);
    let replayed = host.analysis.work(owner, Length::Long, replayed).await;
    let replayed = replayed.map_err(|_| StoreError::Busy {
        why: "too many analyses wait".to_owned(),
    })?;
    replayed.value.map(Some)
}

/// The same for a take-over, on the calling thread: full queues of analyses must not delay or refuse it, because players of the dead server wait.
pub(super) async fn load_at_once(
    store: &dyn Store,
    id: MatchId,
) -> Result<Option<Referee>, RebuildError> {
    match log_of(store, id).await? {
        Some(log) => replay(OffServing::by_design(), &log).map(Some),
        None => Ok(None),
    }
}

/// The whole log of a match; `None` when there is no such match.
async fn log_of(store: &dyn Store, id: MatchId) -> Result<Option<Vec<Logged>>, RebuildError> {
    let mut log: Vec<Logged> = Vec::new();
    loop {
        let after = Seq(log.len() as u64);
        let Some(mut page) = store.load(id.into(), after, LOAD_PAGE).await? else {
            return Ok(None);
        };
        if page.is_empty() {
            return Ok(Some(log));
        }
        let numbered = (after.0 + 1..).map(Seq).zip(&page);
        if let Some((seq, _)) = numbered
            .into_iter()
            .find(|(seq, logged)| logged.seq != *seq)
        {
            return Err(RebuildError::Missing { seq });
        }
        log.append(&mut page);
    }
}

/// The join code of a match that waits for the other player, and when it expires.
pub(super) async fn invitation(
    store: &dyn Store,
    id: MatchId,
    referee: &Referee,
) -> Result<Option<(JoinCode, Millis)>, StoreError> {
    let waits = referee.status() == Status::Waiting;
    let creator = Seat::BOTH.into_iter().find_map(|seat| referee.player(seat));
    match creator.filter(|_| waits) {
        Some(creator) => code_of(store, id, creator.id).await,
        None => Ok(None),
    }
}

/// Whether the invitation of a match lasts while its creator is away: of a match that waits, and whose creator has a password.
pub(super) async fn lasts(store: &dyn Store, referee: &Referee) -> Result<bool, StoreError> {
    let waits = referee.status() == Status::Waiting;
    let creator = Seat::BOTH.into_iter().find_map(|seat| referee.player(seat));
    match creator.filter(|_| waits) {
        Some(creator) => has_password(store, creator.id).await,
        None => Ok(false),
    }
}

/// Whether a player can sign in from anywhere.
pub(super) async fn has_password(store: &dyn Store, player: PlayerId) -> Result<bool, StoreError> {
    let account = store.account(player).await?;
    Ok(account.is_some_and(|account| account.password.is_some()))
}

/// The address for which a match counts if that is needed: for the next game of its series, or for the thoughts of a built-in bot.
pub(super) async fn address(
    store: &dyn Store,
    id: MatchId,
    referee: &Referee,
) -> Result<Option<AddressDigest>, StoreError> {
    let goes_on = referee
        .series()
        .is_some_and(|series| series.game < series.games);
    let mut players = Seat::BOTH
        .into_iter()
        .filter_map(|seat| referee.player(seat));
    let has_bot = players.any(|player| builtin::bot_of(player).is_some());
    match (goes_on || has_bot) && referee.status() != Status::Over {
        true => store.address_of(id).await,
        false => Ok(None),
    }
}

/// The join code of this match of this player, and when it expires.
pub(super) async fn code_of(
    store: &dyn Store,
    id: MatchId,
    creator: PlayerId,
) -> Result<Option<(JoinCode, Millis)>, StoreError> {
    let open = store.open_matches(creator, LIST_PAGE).await?;
    let found = open.into_iter().find(|open| open.id == id);
    Ok(found.and_then(|open| open.code))
}

/// The state that these events, from number 1 on, lead to.
pub(super) fn replay(leave: OffServing, log: &[Logged]) -> Result<Referee, RebuildError> {
    let mut events = Vec::with_capacity(log.len());
    read_into(&mut events, log)?;
    Ok(costly::replay(leave, &events)?)
}

/// Reads one stored event.
pub(super) fn read(logged: &Logged) -> Result<Event, RebuildError> {
    let read = serde_json::from_slice(&logged.body);
    let mut event = read.map_err(|why| RebuildError::Unreadable {
        seq: logged.seq,
        why,
    })?;
    if let Event::Moved { client_move_id, .. } = &mut event
        && planted::is("forget_move_ids")
    {
        *client_move_id = None;
    }
    Ok(event)
}

fn read_into(events: &mut Vec<Event>, page: &[Logged]) -> Result<(), RebuildError> {
    for logged in page {
        let seq = Seq(events.len() as u64 + 1);
        if logged.seq != seq {
            return Err(RebuildError::Missing { seq });
        }
        events.push(read(logged)?);
    }
    Ok(())
}
