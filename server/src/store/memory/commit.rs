//! Commits: whether one can be made, and what it changes.

use std::collections::BTreeSet;
use std::collections::hash_map::Entry;
use std::hash::Hash;

use grundy_shared::ids::{MatchId, PlayerId, Seq};
use rustc_hash::FxHashMap;

use super::{Kept, State, Stream};
use crate::planted;
use crate::store::{
    AccountRow, AddressDigest, Commit, CommitError, Guard, Lease, MatchRow, MatchStatus, NodeId,
    Projection, StreamId, Taken, Unique,
};

impl State {
    /// Whether the commit can be made.
    pub(super) fn check(&self, lease: Lease, commit: &Commit) -> Result<(), CommitError> {
        self.check_lease(lease).map_err(|_| CommitError::Fenced)?;
        commit.check_alone()?;
        for append in &commit.appends {
            let (stream, actual) = (append.stream, self.head(append.stream));
            if actual != append.expected {
                return Err(CommitError::Conflict { stream, actual });
            }
        }
        for projection in &commit.projections {
            self.check_projection(commit, projection)?;
        }
        for guard in &commit.guards {
            let holds = match *guard {
                Guard::OpenMatches { of, at_most } => {
                    self.open_after(commit, of) <= u64::from(at_most)
                }
                Guard::OpenMatchesFrom { address, at_most } => {
                    self.open_from_after(commit, address) <= u64::from(at_most)
                }
                Guard::Share { address, rule } => {
                    let taken = self.taken_after(commit, address);
                    rule.admits(taken, commit.waits_at(address))
                }
            };
            if !holds {
                return Err(CommitError::Full(*guard));
            }
        }
        Ok(())
    }

    fn check_projection(
        &self,
        commit: &Commit,
        projection: &Projection,
    ) -> Result<(), CommitError> {
        let nowhere = |id: MatchId| CommitError::Conflict {
            stream: id.into(),
            actual: Seq(0),
        };
        match projection {
            Projection::Match { id, row } => {
                self.check_seats(row)?;
                if self.head((*id).into()) == Seq(0) && !commit.begins((*id).into()) {
                    return Err(nowhere(*id));
                }
            }
            Projection::JoinCode {
                code, match_id, at, ..
            } => {
                if !self.will_know(commit, *match_id) {
                    return Err(nowhere(*match_id));
                }
                let held = self.codes.get(code);
                if held.is_some_and(|(_, until)| until > at) {
                    return Err(CommitError::Taken(Unique::JoinCode));
                }
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                if !self.will_know(commit, *match_id) {
                    return Err(nowhere(*match_id));
                }
                let name = (*player, client_create_id.clone());
                if self.create_ids.contains_key(&name) {
                    return Err(CommitError::Taken(Unique::CreateId));
                }
            }
            Projection::Player(new) => {
                if self.players.contains_key(&new.info.id) {
                    return Err(CommitError::Taken(Unique::PlayerId));
                }
                if self.tokens.contains_key(&new.token.hash) {
                    return Err(CommitError::Taken(Unique::Token));
                }
                if self.names.contains_key(&new.name_key) {
                    return Err(CommitError::Taken(Unique::Name));
                }
            }
            Projection::Rename {
                player, name_key, ..
            } => {
                let known = self.accounts.get(player);
                if known.is_none_or(|known| known.erased) {
                    return Err(CommitError::Conflict {
                        stream: StreamId::Account(*player),
                        actual: Seq(0),
                    });
                }
                if self.names.get(name_key).is_some_and(|by| by != player) {
                    return Err(CommitError::Taken(Unique::Name));
                }
            }
            Projection::Account { player, account } => {
                let known = self.accounts.get(player);
                if known.is_none_or(|known| known.version != account.version || known.erased) {
                    return Err(CommitError::Conflict {
                        stream: StreamId::Account(*player),
                        actual: Seq(known.map_or(0, |known| known.version)),
                    });
                }
                let others = |hash| self.tokens.get(hash).is_some_and(|by| by != player);
                if account.tokens.iter().any(|token| others(&token.hash)) {
                    return Err(CommitError::Taken(Unique::Token));
                }
            }
            Projection::Rating { player, family, .. } => {
                let stream = StreamId::Rating(*player, *family);
                let actual = self.head(stream);
                if actual == Seq(0) && !commit.begins(stream) {
                    return Err(CommitError::Conflict { stream, actual });
                }
            }
            Projection::Attempt(attempt) => {
                let (player, puzzle) = (attempt.player, attempt.puzzle);
                for stream in [StreamId::Solving(player), StreamId::Puzzle(puzzle)] {
                    let actual = self.head(stream);
                    if actual == Seq(0) && !commit.begins(stream) {
                        return Err(CommitError::Conflict { stream, actual });
                    }
                }
                if self.puzzles.get(puzzle).is_none() {
                    let stream = StreamId::Puzzle(puzzle);
                    let actual = Seq(0);
                    return Err(CommitError::Conflict { stream, actual });
                }
                if self.puzzles.attempt(player, puzzle).is_some() {
                    return Err(CommitError::Taken(Unique::Attempt));
                }
            }
            Projection::Server(_) => {
                if self.server_id.is_some() {
                    return Err(CommitError::Taken(Unique::ServerId));
                }
            }
            Projection::AddressSecret(_) => {
                if self.address_secret.is_some() {
                    return Err(CommitError::Taken(Unique::AddressSecret));
                }
            }
            Projection::Erase(new) => self.check_erase(new)?,
            Projection::Word(word) => self.words.check(word)?,
            Projection::SumUp(_)
            | Projection::ForgetWords(_)
            | Projection::Kept(_)
            | Projection::Puzzle { .. }
            | Projection::Usage { .. }
            | Projection::Ban(_)
            | Projection::Unban(_)
            | Projection::ForgetNames(_)
            | Projection::Erased(_) => {}
            Projection::Address { match_id, .. }
            | Projection::Mistakes { match_id, .. }
            | Projection::Review { match_id, .. } => {
                if !self.will_know(commit, *match_id) {
                    return Err(nowhere(*match_id));
                }
            }
        }
        Ok(())
    }

    /// Whether there is such a match once the commit is made.
    fn will_know(&self, commit: &Commit, wanted: MatchId) -> bool {
        let made = |projection: &Projection| matches!(projection, Projection::Match { id, .. } if *id == wanted);
        self.by_id.contains_key(&wanted) || commit.projections.iter().any(made)
    }

    pub(super) fn open_count(&self, of: Option<PlayerId>) -> u64 {
        match of {
            None => self.open,
            Some(player) => self.open_of.get(&player).map_or(0, BTreeSet::len) as u64,
        }
    }

    /// How many matches are not over once the commit is made.
    fn open_after(&self, commit: &Commit, of: Option<PlayerId>) -> u64 {
        let mut count = self.open_count(of);
        for projection in &commit.projections {
            if let Projection::Match { id, row } = projection {
                let before = self.find(*id).is_some_and(|kept| kept.row.is_open(of));
                count += u64::from(row.is_open(of));
                count -= u64::from(before);
            }
        }
        count
    }

    pub(super) fn open_count_from(&self, address: AddressDigest) -> u64 {
        self.open_from.get(&address).map_or(0, BTreeSet::len) as u64
    }

    /// How many matches that are not over were created there once the commit is made.
    fn open_from_after(&self, commit: &Commit, address: AddressDigest) -> u64 {
        let mut count = self.open_count_from(address);
        for projection in &commit.projections {
            match projection {
                Projection::Address { address: new, .. } if *new == address => count += 1,
                Projection::Match { id, row } if row.status == MatchStatus::Over => {
                    let kept = self.find(*id);
                    count -= u64::from(kept.is_some_and(|kept| kept.address == Some(address)));
                }
                _ => {}
            }
        }
        count
    }

    /// The places that are taken once a commit is made that creates a match there.
    fn taken_after(&self, commit: &Commit, address: AddressDigest) -> Taken {
        let new = u64::from(commit.waits_at(address));
        let here = self.open_from.get(&address).into_iter().flatten();
        let waits = |number: &&i64| self.matches[number].row.status == MatchStatus::Waiting;
        Taken {
            all: self.open_after(commit, None),
            here: self.open_from_after(commit, address),
            waiting: self.waiting + new,
            waiting_here: here.filter(waits).count() as u64 + new,
        }
    }

    pub(super) fn make(&mut self, lease: Lease, commit: Commit) {
        for append in commit.appends {
            self.gauges.events += append.events.len() as u64;
            if !append.events.is_empty() {
                let last = &mut self.last_stream;
                let stream = self.streams.entry(append.stream);
                let stream = stream.or_insert_with(|| {
                    *last += 1;
                    Stream {
                        number: *last,
                        events: Vec::new(),
                    }
                });
                stream.events.extend(append.events);
            }
        }
        for projection in commit.projections {
            match projection {
                Projection::Match { id, row } => self.summarise(lease.node, id, *row),
                Projection::JoinCode {
                    code,
                    match_id,
                    at,
                    expires_at,
                } => {
                    self.codes.retain(|_, (_, until)| *until > at);
                    self.codes.insert(code, (match_id, expires_at));
                }
                Projection::CreateId {
                    player,
                    client_create_id,
                    match_id,
                } => {
                    self.create_ids.insert((player, client_create_id), match_id);
                }
                Projection::Player(new) => {
                    self.tokens.insert(new.token.hash, new.info.id);
                    let account = AccountRow {
                        tokens: vec![new.token],
                        ..AccountRow::default()
                    };
                    self.accounts.insert(new.info.id, account);
                    self.came_at.insert(new.info.id, new.created_at);
                    self.names.insert(new.name_key, new.info.id);
                    self.players.insert(new.info.id, new.info);
                }
                Projection::Rename {
                    player,
                    name,
                    name_key,
                } => {
                    self.names.retain(|_, by| *by != player);
                    self.names.insert(name_key, player);
                    if let Some(info) = self.players.get_mut(&player) {
                        info.name = name;
                    }
                }
                Projection::Account {
                    player,
                    mut account,
                } => {
                    account.version += 1;
                    account.sort();
                    self.tokens.retain(|_, by| *by != player);
                    let hashes = account.tokens.iter().map(|token| (token.hash, player));
                    self.tokens.extend(hashes);
                    self.accounts.insert(player, *account);
                }
                Projection::Rating {
                    player,
                    family,
                    row,
                } => self.ratings.put(player, family, row),
                Projection::Puzzle { row, at_most } => self.puzzles.add(*row, at_most),
                Projection::Attempt(attempt) => self.puzzles.take(&attempt),
                Projection::Word(word) => self.words.say(word),
                Projection::SumUp(summary) => self.words.sum_up(summary),
                Projection::ForgetWords(upto) => self.words.forget_all(upto),
                Projection::Server(id) => self.server_id = Some(id),
                Projection::AddressSecret(secret) => self.address_secret = Some(secret),
                Projection::Ban(ban) => {
                    self.bans.insert(ban.subject, ban);
                }
                Projection::Unban(subject) => {
                    self.bans.remove(&subject);
                }
                Projection::Erase(new) => self.erase(*new),
                Projection::ForgetNames(player) => {
                    if let Some(erasure) = self.erasures.get_mut(&player) {
                        erasure.names.clear();
                    }
                }
                Projection::Erased(player) => {
                    self.erasures.remove(&player);
                }
                Projection::Address { match_id, address } => {
                    let number = self.by_id[&match_id];
                    self.count(number, false);
                    if let Some(kept) = self.matches.get_mut(&number) {
                        kept.address = Some(address);
                    }
                    self.count(number, true);
                }
                Projection::Kept(player) => {
                    self.kept.insert(player);
                }
                Projection::Usage { at, rows } => {
                    let node = lease.node;
                    let new = rows.into_iter().map(|row| ((node, row.of), row));
                    self.usage.extend(new);
                    self.usage.retain(|_, row| row.until() > at);
                }
                Projection::Mistakes { match_id, mistakes } => {
                    let number = self.by_id.get(&match_id);
                    let kept = number.and_then(|number| self.matches.get_mut(number));
                    if let Some(kept) = kept.filter(|kept| kept.ended_order.is_some()) {
                        kept.mistakes = Some(mistakes);
                    }
                }
                Projection::Review {
                    match_id,
                    review,
                    most_bytes,
                } => {
                    let kept = self.find(match_id);
                    if kept.is_some_and(|kept| kept.ended_order.is_some()) {
                        self.reviews.put(match_id, review, most_bytes);
                    }
                }
            }
        }
    }

    fn summarise(&mut self, owner: NodeId, id: MatchId, mut row: MatchRow) {
        self.rename_erased(&mut row);
        let number = self.streams[&StreamId::Match(id)].number;
        let before = self.matches.get(&number);
        let owner = before.map_or(owner, |kept| kept.owner);
        let address = before.and_then(|kept| kept.address);
        let (ended_order, mistakes) =
            before.map_or((None, None), |kept| (kept.ended_order, kept.mistakes));
        let is_over = row.status == MatchStatus::Over;
        let ended_order = match (is_over, ended_order) {
            (true, None) => {
                let last = self.ended.last_key_value();
                Some(last.map_or(0, |(last, _)| *last) + 1)
            }
            (true, ended_order) => ended_order,
            (false, ended_order) => {
                ended_order.map(|place| self.ended.remove(&place));
                None
            }
        };
        self.ended.extend(ended_order.map(|place| (place, number)));
        self.count(number, false);
        self.by_id.insert(id, number);
        let kept = Kept {
            id,
            row,
            owner,
            address: address.filter(|_| !is_over),
            ended_order,
            mistakes: mistakes.filter(|_| is_over),
        };
        self.matches.insert(number, kept);
        self.count(number, true);
    }

    /// Counts a match, or counts it no longer, unless it is over.
    pub(super) fn count(&mut self, number: i64, counts: bool) {
        let open = self.matches.get(&number);
        let open = open.filter(|kept| kept.row.status != MatchStatus::Over);
        let Some(Kept { row, address, .. }) = open else {
            return;
        };
        let waits = u64::from(row.status == MatchStatus::Waiting);
        (self.open, self.waiting) = match counts {
            true => (self.open + 1, self.waiting + waits),
            false => (self.open - 1, self.waiting - waits),
        };
        if let Some(address) = *address
            && (counts || !planted::is("keep_place"))
        {
            note(&mut self.open_from, address, number, counts);
        }
        for player in [&row.first, &row.second].into_iter().flatten() {
            note(&mut self.open_of, player.id, number, counts);
        }
    }
}

/// Notes that a match belongs to a key, or no longer; a key without any is not kept.
fn note<K: Eq + Hash>(open: &mut FxHashMap<K, BTreeSet<i64>>, key: K, number: i64, belongs: bool) {
    let mut numbers = match open.entry(key) {
        Entry::Occupied(numbers) => numbers,
        Entry::Vacant(free) if belongs => free.insert_entry(BTreeSet::new()),
        Entry::Vacant(_) => return,
    };
    match belongs {
        true => numbers.get_mut().insert(number),
        false => numbers.get_mut().remove(&number),
    };
    if numbers.get().is_empty() {
        numbers.remove();
    }
}
