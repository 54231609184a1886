//! Erasing players.

use grundy_shared::chain;
use grundy_shared::ids::{PlayerId, Seq};

use super::State;
use crate::store::erasure::ERASED_REMEMBERED;
use crate::store::{
    AccountRow, BanSubject, CommitError, Cursor, Erasure, Guard, Lease, MENTIONS_PAGE, MatchRow,
    MatchStatus, Mentions, NewErasure, Rewrite, Rewritten, StoreError, StreamId, Unique, UsageOf,
};

impl State {
    /// Whether a player can be erased.
    pub(super) fn check_erase(&self, new: &NewErasure) -> Result<(), CommitError> {
        let player = new.player;
        let account = self.accounts.get(&player);
        if account.is_none_or(|account| account.erased) {
            return Err(nobody(player));
        }
        if self
            .names
            .get(&new.name_key)
            .is_some_and(|by| *by != player)
        {
            return Err(CommitError::Taken(Unique::Name));
        }
        match self.open_count(Some(player)) {
            0 => Ok(()),
            _ => Err(CommitError::Full(Guard::OpenMatches {
                of: Some(player),
                at_most: 0,
            })),
        }
    }

    /// Whether a summary seats nobody anew who was erased.
    pub(super) fn check_seats(&self, row: &MatchRow) -> Result<(), CommitError> {
        let seated = [&row.first, &row.second].into_iter().flatten();
        let gone = seated.map(|player| player.id);
        match gone.into_iter().find(|id| self.erased.contains_key(id)) {
            Some(gone) if row.status != MatchStatus::Over => Err(nobody(gone)),
            _ => Ok(()),
        }
    }

    /// Gives those in a summary who were erased the names that stand for them.
    pub(super) fn rename_erased(&self, row: &mut MatchRow) {
        for player in [row.first.as_ref(), row.second.as_ref()].map(|seat| seat.map(|one| one.id)) {
            if let Some((player, name)) = player.and_then(|id| self.erased.get_key_value(&id)) {
                row.rename(*player, name);
            }
        }
    }

    pub(super) fn erase(&mut self, new: NewErasure) {
        let player = new.player;
        let version = self.accounts.get(&player).map_or(0, |known| known.version) + 1;
        let account = AccountRow {
            version,
            erased: true,
            ..AccountRow::default()
        };
        self.accounts.insert(player, account);
        self.tokens.retain(|_, by| *by != player);
        self.names.retain(|_, by| *by != player);
        self.names.insert(new.name_key, player);
        if let Some(info) = self.players.get_mut(&player) {
            info.name.clone_from(&new.name);
        }
        self.create_ids.retain(|(by, _), _| *by != player);
        self.usage
            .retain(|(_, of), _| *of != UsageOf::Player(player));
        self.bans.remove(&BanSubject::Player(player));
        if self.erased.len() >= ERASED_REMEMBERED {
            self.erased.clear();
        }
        self.erased.insert(player, new.name.clone());
        let erasure = Erasure {
            player,
            name: new.name,
            names: new.names,
            done: Rewritten::default(),
        };
        self.erasures.insert(player, erasure);
    }

    pub(super) fn mentioning(
        &self,
        texts: &[String],
        after: Option<&Cursor>,
    ) -> Result<Mentions, StoreError> {
        let after = after.map_or(Ok(0), Cursor::to_number)?;
        let mut all: Vec<_> = self.streams.iter().collect();
        all.retain(|(_, stream)| stream.number > after);
        all.sort_by_key(|(_, stream)| stream.number);
        let looked = &all[..all.len().min(MENTIONS_PAGE)];
        let has_one = |body: &bytes::Bytes| {
            let body = String::from_utf8_lossy(body);
            texts.iter().any(|text| body.contains(text.as_str()))
        };
        let found = looked
            .iter()
            .filter(|(_, log)| log.events.iter().any(has_one));
        Ok(Mentions {
            streams: found.map(|(id, _)| **id).collect(),
            next: looked
                .last()
                .filter(|_| looked.len() < all.len())
                .map(|(_, log)| Cursor::number(log.number)),
        })
    }

    pub(super) fn rewrite(
        &mut self,
        lease: Lease,
        player: PlayerId,
        logs: Vec<Rewrite>,
    ) -> Result<(), CommitError> {
        self.check_lease(lease).map_err(|_| CommitError::Fenced)?;
        let mut done = match self.erasures.get(&player) {
            Some(erasure) => erasure.done,
            None => return Err(nobody(player)),
        };
        for log in &logs {
            let (stream, actual) = (log.stream, self.head(log.stream));
            if actual != log.end {
                return Err(CommitError::Conflict { stream, actual });
            }
        }
        for log in logs {
            let Some(stream) = self.streams.get_mut(&log.stream) else {
                continue;
            };
            let genesis = log.stream.genesis();
            let (mut before, mut after) = (genesis, genesis);
            for (seq, body) in (1..).map(Seq).zip(&mut stream.events) {
                before = chain::link(&before, body);
                if let Some(new) = log.body(seq) {
                    body.clone_from(new);
                }
                after = chain::link(&after, body);
            }
            done.count(log.stream, log.bodies.len() as u64, [&before, &after]);
            if let (StreamId::Match(id), Some(row)) = (log.stream, log.row)
                && let Some(number) = self.by_id.get(&id)
                && let Some(kept) = self.matches.get_mut(number)
            {
                kept.row = *row;
            }
        }
        if let Some(erasure) = self.erasures.get_mut(&player) {
            erasure.done = done;
        }
        Ok(())
    }
}

fn nobody(player: PlayerId) -> CommitError {
    CommitError::Conflict {
        stream: StreamId::Account(player),
        actual: Seq(0),
    }
}
