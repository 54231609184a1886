//! A store in memory: for tests of time, and for `--data :memory:`. Durable only as long as the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{JoinCode, MatchId, Millis, PlayerId, Seq};
use rustc_hash::FxHashMap;

use super::{
    AppendError, CreateError, Cursor, Gauges, LIST_PAGE, LIVE_PAGE, LOAD_PAGE, ListFilter, Listed,
    LiveMatch, Logged, MatchRow, MatchStatus, NewMatch, NewPlayer, Page, Store, StoreError, Unique,
};

/// The store in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
    /// In order of creation.
    matches: Vec<Kept>,
    by_id: FxHashMap<MatchId, usize>,
    codes: BTreeMap<JoinCode, (MatchId, Millis)>,
    players: FxHashMap<PlayerId, PlayerInfo>,
    tokens: FxHashMap<[u8; 32], PlayerId>,
    heartbeat: Option<Millis>,
    gauges: Gauges,
}

#[derive(Debug)]
struct Kept {
    cursor: Cursor,
    id: MatchId,
    row: MatchRow,
    events: Vec<String>,
}

impl Kept {
    fn head(&self) -> Seq {
        Seq(self.events.len() as u64)
    }

    fn after(&self, after: Seq, limit: usize) -> Vec<Logged> {
        let skip = usize::try_from(after.0).unwrap_or(usize::MAX);
        (1..)
            .zip(&self.events)
            .skip(skip)
            .take(limit)
            .map(|(seq, body)| Logged {
                seq: Seq(seq),
                body: body.clone(),
            })
            .collect()
    }
}

impl State {
    fn find(&self, id: MatchId) -> Option<&Kept> {
        self.by_id.get(&id).map(|index| &self.matches[*index])
    }
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn open(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let state = self
            .state
            .lock()
            .expect("no operation panics while it holds the lock");
        if state.closed {
            Err(StoreError::Closed)
        } else {
            Ok(state)
        }
    }

    /// The same for a write, which counts as one commit.
    fn write(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        let mut state = self.open()?;
        state.gauges.commits += 1;
        Ok(state)
    }
}

#[async_trait]
impl Store for MemoryStore {
    async fn create(&self, new: NewMatch) -> Result<(), CreateError> {
        let mut state = self.write()?;
        let now = new.row.created_at;
        if state.by_id.contains_key(&new.id) {
            return Err(CreateError::Taken(Unique::MatchId));
        }
        if let Some((code, expires)) = new.code {
            if state
                .codes
                .get(&code)
                .is_some_and(|(_, until)| *until > now)
            {
                return Err(CreateError::Taken(Unique::JoinCode));
            }
            state.codes.retain(|_, (_, until)| *until > now);
            state.codes.insert(code, (new.id, expires));
        }
        let index = state.matches.len();
        state.by_id.insert(new.id, index);
        state.gauges.events += new.events.len() as u64;
        let cursor = state.matches.last().map_or(0, |last| last.cursor.0) + 1;
        state.matches.push(Kept {
            cursor: Cursor(cursor),
            id: new.id,
            row: new.row,
            events: new.events,
        });
        Ok(())
    }

    async fn append(
        &self,
        id: MatchId,
        expected_seq: Seq,
        events: Vec<String>,
        row: Option<MatchRow>,
    ) -> Result<(), AppendError> {
        let mut state = self.write()?;
        let index = *state.by_id.get(&id).ok_or(AppendError::NoSuchMatch)?;
        let actual = state.matches[index].head();
        if actual != expected_seq {
            return Err(AppendError::Conflict { actual });
        }
        state.gauges.events += events.len() as u64;
        let kept = &mut state.matches[index];
        kept.events.extend(events);
        if let Some(row) = row {
            kept.row = row;
        }
        Ok(())
    }

    async fn load(
        &self,
        id: MatchId,
        after: Seq,
        limit: usize,
    ) -> Result<Option<Vec<Logged>>, StoreError> {
        let state = self.open()?;
        Ok(state
            .find(id)
            .map(|kept| kept.after(after, limit.min(LOAD_PAGE))))
    }

    async fn row(&self, id: MatchId) -> Result<Option<MatchRow>, StoreError> {
        Ok(self.open()?.find(id).map(|kept| kept.row.clone()))
    }

    async fn list(&self, filter: ListFilter, page: Page) -> Result<Vec<Listed>, StoreError> {
        let state = self.open()?;
        let sits = |seat: &Option<PlayerInfo>, id| seat.as_ref().is_some_and(|who| who.id == id);
        let wanted = |row: &MatchRow| {
            filter.status.is_none_or(|status| row.status == status)
                && filter
                    .player
                    .is_none_or(|id| sits(&row.first, id) || sits(&row.second, id))
        };
        Ok(state
            .matches
            .iter()
            .rev()
            .filter(|kept| {
                page.before.is_none_or(|before| kept.cursor < before) && wanted(&kept.row)
            })
            .take(page.limit.min(LIST_PAGE))
            .map(|kept| Listed {
                cursor: kept.cursor,
                id: kept.id,
                row: kept.row.clone(),
            })
            .collect())
    }

    async fn live(&self, after: Option<Cursor>) -> Result<Vec<LiveMatch>, StoreError> {
        let state = self.open()?;
        Ok(state
            .matches
            .iter()
            .filter(|kept| {
                after.is_none_or(|after| kept.cursor > after)
                    && kept.row.status != MatchStatus::Over
            })
            .take(LIVE_PAGE)
            .map(|kept| LiveMatch {
                cursor: kept.cursor,
                id: kept.id,
                log: Ok(kept.after(Seq(0), usize::MAX)),
            })
            .collect())
    }

    async fn find_code(&self, code: JoinCode) -> Result<Option<(MatchId, Millis)>, StoreError> {
        Ok(self.open()?.codes.get(&code).copied())
    }

    async fn create_player(&self, new: NewPlayer) -> Result<(), CreateError> {
        let mut state = self.write()?;
        if state.players.contains_key(&new.info.id) {
            return Err(CreateError::Taken(Unique::PlayerId));
        }
        if state.tokens.contains_key(&new.token_hash) {
            return Err(CreateError::Taken(Unique::Token));
        }
        state.tokens.insert(new.token_hash, new.info.id);
        state.players.insert(new.info.id, new.info);
        Ok(())
    }

    async fn player_by_token(&self, hash: [u8; 32]) -> Result<Option<PlayerInfo>, StoreError> {
        let state = self.open()?;
        Ok(state
            .tokens
            .get(&hash)
            .and_then(|id| state.players.get(id))
            .cloned())
    }

    async fn player(&self, id: PlayerId) -> Result<Option<PlayerInfo>, StoreError> {
        Ok(self.open()?.players.get(&id).cloned())
    }

    async fn heartbeat(&self, at: Millis) -> Result<(), StoreError> {
        let mut state = self.write()?;
        state.heartbeat = state.heartbeat.max(Some(at));
        Ok(())
    }

    async fn last_heartbeat(&self) -> Result<Option<Millis>, StoreError> {
        Ok(self.open()?.heartbeat)
    }

    async fn ready(&self) -> Result<(), StoreError> {
        self.open().map(drop)
    }

    async fn failed(&self) -> StoreError {
        std::future::pending().await
    }

    fn gauges(&self) -> Gauges {
        self.open().map(|state| state.gauges).unwrap_or_default()
    }

    async fn close(&self) {
        if let Ok(mut state) = self.open() {
            state.closed = true;
        }
    }
}
