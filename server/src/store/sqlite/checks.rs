//! Whether a commit can be made. Everything is known before anything is written, so that what one commit is refused for
//! harms no other of its batch.

use std::sync::LazyLock;

use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId, Seq};
use sqlx::Row;

use super::fault::Failure;
use super::open_matches::OpenMatches;
use super::refusal::Refusal;
use super::rows::key_of;
use super::writer::Writer;
use crate::store::{Commit, CommitError, Guard, Lease, Projection, StoreError, StreamId, Unique};

/// The statement that counts the matches of a player, ?1, that are not over.
macro_rules! open_count_statement {
    () => {
        "SELECT count(*) FROM (SELECT number FROM match WHERE first_id = ?1 AND status <> 'over' \
         UNION SELECT number FROM match WHERE second_id = ?1 AND status <> 'over')"
    };
}
pub(super) use open_count_statement;

/// Streams or codes that one question asks for.
const FORESEEN: usize = 16;

static KNOWN_STREAMS: LazyLock<String> = LazyLock::new(|| {
    let places = vec!["(?, ?)"; FORESEEN].join(", ");
    format!("SELECT kind, id FROM stream WHERE (kind, id) IN (VALUES {places})")
});

static KNOWN_CODES: LazyLock<String> = LazyLock::new(|| {
    let places = vec!["?"; FORESEEN].join(", ");
    format!("SELECT code FROM join_code WHERE code IN ({places})")
});

impl Writer {
    /// Whether a lease is good.
    pub(super) fn check_lease(&self, lease: Lease) -> Result<(), StoreError> {
        match self.epochs.get(&lease.node) {
            Some(epoch) if *epoch == lease.epoch => Ok(()),
            _ => Err(StoreError::Fenced),
        }
    }

    /// Whether the commit can be made.
    pub(super) async fn check(&mut self, lease: Lease, commit: &Commit) -> Result<(), Refusal> {
        self.check_lease(lease).map_err(|_| CommitError::Fenced)?;
        commit.check_alone()?;
        for append in &commit.appends {
            let stream = append.stream;
            let actual = self.head(stream).await?.map_or(Seq(0), |head| head.seq);
            if actual != append.expected {
                return Err(CommitError::Conflict { stream, actual }.into());
            }
        }
        for projection in &commit.projections {
            self.check_projection(commit, projection).await?;
        }
        for guard in &commit.guards {
            let open = self.open_matches().await?;
            let holds = match *guard {
                Guard::OpenMatches { of, at_most } => open.after(commit, of) <= i64::from(at_most),
                Guard::OpenMatchesFrom { address, at_most } => {
                    open.after_from(commit, address) <= i64::from(at_most)
                }
                Guard::Share { address, rule } => {
                    let taken = open.taken_after(commit, address);
                    rule.admits(taken, commit.waits_at(address))
                }
            };
            if !holds {
                return Err(CommitError::Full(*guard).into());
            }
        }
        Ok(())
    }

    async fn check_projection(
        &mut self,
        commit: &Commit,
        projection: &Projection,
    ) -> Result<(), Refusal> {
        match projection {
            Projection::Match { id, row, .. } => {
                let stream = StreamId::Match(*id);
                let seated = [&row.first, &row.second].into_iter().flatten();
                let gone = seated
                    .map(|player| player.id)
                    .find(|id| self.removed_last.contains(id));
                if let Some(gone) = gone {
                    return Err(CommitError::Conflict {
                        stream: StreamId::Account(gone),
                        actual: Seq(0),
                    }
                    .into());
                }
                self.check_seats(row)?;
                let mut appends = commit.appends.iter();
                let begins =
                    appends.any(|append| append.stream == stream && !append.events.is_empty());
                if !begins && self.head(stream).await?.is_none() {
                    return Err(nowhere(*id).into());
                }
            }
            Projection::JoinCode {
                code, match_id, at, ..
            } => {
                self.check_known(commit, *match_id).await?;
                if self.is_given(*code, *at).await? {
                    return Err(CommitError::Taken(Unique::JoinCode).into());
                }
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                self.check_known(commit, *match_id).await?;
                let known = self.is_named(*player, client_create_id).await?;
                if known {
                    return Err(CommitError::Taken(Unique::CreateId).into());
                }
            }
            Projection::Player(new) => self.check_player(new).await?,
            Projection::Account { player, account } => {
                self.check_account(*player, account).await?;
            }
            Projection::Rename {
                player, name_key, ..
            } => {
                let (known, taken): (bool, bool) = sqlx::query_as(
                    "SELECT EXISTS (SELECT 1 FROM player WHERE id = ?1 AND erased = 0), EXISTS (SELECT 1 FROM player WHERE name_key = ?2 AND id <> ?1)",
                )
                .bind(player.as_bytes().to_vec())
                .bind(name_key.clone())
                .fetch_one(&mut self.connection)
                .await?;
                if !known {
                    return Err(CommitError::Conflict {
                        stream: StreamId::Account(*player),
                        actual: Seq(0),
                    }
                    .into());
                }
                if taken {
                    return Err(CommitError::Taken(Unique::Name).into());
                }
            }
            Projection::Rating { player, family, .. } => {
                self.check_rating(commit, StreamId::Rating(*player, *family))
                    .await?;
            }
            Projection::Attempt(attempt) => self.check_attempt(commit, attempt).await?,
            Projection::Server(_) => {
                let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM server)")
                    .fetch_one(&mut self.connection)
                    .await?;
                if known {
                    return Err(CommitError::Taken(Unique::ServerId).into());
                }
            }
            Projection::AddressSecret(_) => {
                let known = sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM address_secret)")
                    .fetch_one(&mut self.connection)
                    .await?;
                if known {
                    return Err(CommitError::Taken(Unique::AddressSecret).into());
                }
            }
            Projection::Erase(new) => self.check_erase(new).await?,
            Projection::Word(_) | Projection::SumUp(_) | Projection::ForgetWords(_) => {
                let why = "a database that one server has for itself takes no words".to_owned();
                let path = "the database".into();
                return Err(CommitError::from(StoreError::Unusable { path, why }).into());
            }
            Projection::Kept(_)
            | Projection::Puzzle { .. }
            | Projection::Usage { .. }
            | Projection::Ban(_)
            | Projection::Unban(_)
            | Projection::ForgetNames(_)
            | Projection::Erased(_) => {}
            Projection::Address { match_id, .. }
            | Projection::Mistakes { match_id, .. }
            | Projection::Review { match_id, .. } => {
                self.check_known(commit, *match_id).await?;
            }
        }
        Ok(())
    }

    /// Whether there is such a match once the commit is made.
    async fn check_known(&mut self, commit: &Commit, wanted: MatchId) -> Result<(), Refusal> {
        let made = |projection: &Projection| matches!(projection, Projection::Match { id, .. } if *id == wanted);
        if commit.projections.iter().any(made) || self.number_of(wanted).await?.is_some() {
            return Ok(());
        }
        Err(nowhere(wanted).into())
    }

    /// The number of a match.
    pub(super) async fn number_of(&mut self, id: MatchId) -> Result<Option<i64>, Failure> {
        self.write_changes().await?;
        let number = sqlx::query_scalar("SELECT number FROM match WHERE id = ?1")
            .bind(id.to_i64())
            .fetch_optional(&mut self.connection)
            .await?;
        Ok(number)
    }

    /// The matches that are not over, as the transaction leaves them.
    pub(super) async fn open_matches(&mut self) -> Result<&OpenMatches, Failure> {
        if self.open.is_none() {
            self.write_changes().await?;
            self.open = Some(OpenMatches::read(&mut self.connection).await?);
        }
        Ok(self.open.get_or_insert_default())
    }

    /// Whether a code is given, and has not expired.
    async fn is_given(&mut self, code: JoinCode, at: Millis) -> Result<bool, Failure> {
        if let Some(until) = self.changes.code_until(code) {
            return Ok(until > at);
        }
        if self.free_codes.contains(&code) {
            return Ok(false);
        }
        let until: Option<i64> =
            sqlx::query_scalar("SELECT expires_at FROM join_code WHERE code = ?1")
                .bind(code.to_string())
                .fetch_optional(&mut self.connection)
                .await?;
        Ok(until.is_some_and(|until| u64::try_from(until).is_ok_and(|until| until > at.0)))
    }

    /// Whether a creator has given this name to a match.
    async fn is_named(&mut self, player: PlayerId, name: &ClientCreateId) -> Result<bool, Failure> {
        if self.changes.is_named(player, name) {
            return Ok(true);
        }
        let named = sqlx::query_scalar(
            "SELECT EXISTS (SELECT 1 FROM create_id WHERE player = ?1 AND name = ?2)",
        )
        .bind(player.as_bytes().to_vec())
        .bind(name.to_string())
        .fetch_one(&mut self.connection)
        .await?;
        Ok(named)
    }

    /// Learns with few questions what the batch will make anew: streams that nobody has heard of, codes that are free.
    pub(super) async fn foresee(&mut self, batch: &[Commit]) -> Result<(), Failure> {
        self.unheard.clear();
        self.free_codes.clear();
        let appends = batch.iter().flat_map(|commit| &commit.appends);
        let new = appends.filter(|append| append.expected == Seq(0));
        let streams: Vec<_> = new.map(|append| append.stream).collect();
        let projections = batch.iter().flat_map(|commit| &commit.projections);
        let codes: Vec<_> = projections.filter_map(code_of).collect();
        for streams in streams.chunks(FORESEEN) {
            // What is not asked for fills the places: no kind is -1.
            let keys = streams.iter().map(|stream| key_of(*stream));
            let keys = keys
                .chain(std::iter::repeat((-1, Vec::new())))
                .take(FORESEEN);
            let query = keys.fold(sqlx::query(KNOWN_STREAMS.as_str()), |query, (kind, key)| {
                query.bind(kind).bind(key)
            });
            let known = query.fetch_all(&mut self.connection).await?;
            let known: Vec<(i64, Vec<u8>)> = known
                .iter()
                .map(|row| Ok((row.try_get("kind")?, row.try_get("id")?)))
                .collect::<Result<_, sqlx::Error>>()?;
            let unheard = streams
                .iter()
                .filter(|stream| !known.contains(&key_of(**stream)));
            self.unheard.extend(unheard);
        }
        for codes in codes.chunks(FORESEEN) {
            let texts = codes.iter().map(JoinCode::to_string);
            let texts = texts.chain(std::iter::repeat(String::new())).take(FORESEEN);
            let query = texts.fold(sqlx::query_scalar(KNOWN_CODES.as_str()), |query, text| {
                query.bind(text)
            });
            let known: Vec<String> = query.fetch_all(&mut self.connection).await?;
            let free = codes
                .iter()
                .filter(|code| !known.contains(&code.to_string()));
            self.free_codes.extend(free);
        }
        Ok(())
    }
}

fn code_of(projection: &Projection) -> Option<JoinCode> {
    match projection {
        Projection::JoinCode { code, .. } => Some(*code),
        _ => None,
    }
}

fn nowhere(id: MatchId) -> CommitError {
    CommitError::Conflict {
        stream: id.into(),
        actual: Seq(0),
    }
}
