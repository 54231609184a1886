//! Reading, with one question for each table, all that the commits of a batch concern.

use grundy_shared::ids::{ClientCreateId, JoinCode, MatchId, Millis, PlayerId, PuzzleId, Seq};
use rustc_hash::FxHashSet;
use sqlx::Row;

use super::batch::Batch;
use super::fault::Fault;
use super::places::{Here, Known, seats};
use super::rows::player_id;
use super::stage::Head;
use crate::store::columns::{corrupt, key_of, match_id, status, stream_of, unsigned};
use crate::store::{AddressDigest, Commit, Guard, MatchStatus, NodeId, Projection, StreamId};

/// What a batch asks for.
#[derive(Debug, Default)]
struct Wanted {
    streams: FxHashSet<StreamId>,
    matches: FxHashSet<MatchId>,
    seated: FxHashSet<PlayerId>,
    codes: FxHashSet<JoinCode>,
    create_ids: FxHashSet<(PlayerId, ClientCreateId)>,
    /// Whose open matches are counted.
    counted: FxHashSet<PlayerId>,
    counted_from: FxHashSet<AddressDigest>,
    /// Whether a match ends.
    ends: bool,
    puzzles: FxHashSet<PuzzleId>,
    /// What words settle, if there are words.
    settle: Option<FxHashSet<String>>,
}

impl Wanted {
    fn by(commits: &[&Commit]) -> Self {
        let mut wanted = Self::default();
        for commit in commits {
            let streams = commit.appends.iter().map(|append| append.stream);
            wanted.streams.extend(streams);
            for projection in &commit.projections {
                wanted.add(projection);
            }
            for guard in &commit.guards {
                match *guard {
                    Guard::OpenMatches { of, .. } => wanted.counted.extend(of),
                    Guard::OpenMatchesFrom { address, .. } | Guard::Share { address, .. } => {
                        wanted.counted_from.insert(address);
                    }
                }
            }
        }
        wanted
    }

    fn add(&mut self, projection: &Projection) {
        match projection {
            Projection::Match { id, row } => {
                self.matches.insert(*id);
                self.streams.insert((*id).into());
                self.seated.extend(seats(row).into_iter().flatten());
                self.ends |= row.status == MatchStatus::Over;
            }
            Projection::JoinCode { code, match_id, .. } => {
                self.codes.insert(*code);
                self.matches.insert(*match_id);
            }
            Projection::CreateId {
                player,
                client_create_id,
                match_id,
            } => {
                self.create_ids.insert((*player, client_create_id.clone()));
                self.matches.insert(*match_id);
            }
            Projection::Address { match_id, .. }
            | Projection::Mistakes { match_id, .. }
            | Projection::Review { match_id, .. } => {
                self.matches.insert(*match_id);
            }
            Projection::Rating { player, family, .. } => {
                self.streams.insert(StreamId::Rating(*player, *family));
            }
            Projection::Attempt(attempt) => {
                self.streams.insert(StreamId::Solving(attempt.player));
                self.streams.insert(StreamId::Puzzle(attempt.puzzle));
            }
            Projection::Erase(new) => {
                self.counted.insert(new.player);
            }
            Projection::Puzzle { row, .. } => {
                self.puzzles.insert(row.puzzle.id());
            }
            Projection::Word(word) => {
                let settle = self.settle.get_or_insert_default();
                settle.extend(word.settles.clone());
            }
            Projection::SumUp(_)
            | Projection::ForgetWords(_)
            | Projection::Player(_)
            | Projection::Rename { .. }
            | Projection::Account { .. }
            | Projection::Server(_)
            | Projection::AddressSecret(_)
            | Projection::Kept(_)
            | Projection::Usage { .. }
            | Projection::Ban(_)
            | Projection::Unban(_)
            | Projection::ForgetNames(_)
            | Projection::Erased(_) => {}
        }
    }
}

fn ids(players: &FxHashSet<PlayerId>) -> Vec<&[u8]> {
    players.iter().map(|id| &id.as_bytes()[..]).collect()
}

impl Batch<'_> {
    /// Reads what these commits concern, and locks their streams in the order of their numbers, so that no two batches wait for each other.
    pub(super) async fn foresee(&mut self, commits: &[&Commit]) -> Result<(), Fault> {
        let wanted = Wanted::by(commits);
        if !wanted.streams.is_empty() {
            self.lock_streams(&wanted.streams).await?;
        }
        if !wanted.matches.is_empty() {
            self.read_matches(&wanted.matches).await?;
        }
        if !wanted.seated.is_empty() {
            self.read_gone(&wanted.seated).await?;
        }
        if !wanted.codes.is_empty() {
            self.read_codes(&wanted.codes).await?;
        }
        if !wanted.create_ids.is_empty() {
            self.read_create_ids(&wanted.create_ids).await?;
        }
        if !wanted.counted.is_empty() {
            self.count_of(&wanted.counted).await?;
        }
        if !wanted.counted_from.is_empty() {
            self.count_from(&wanted.counted_from).await?;
        }
        if wanted.ends {
            self.read_last_end().await?;
        }
        if !wanted.puzzles.is_empty() {
            self.read_known(&wanted.puzzles).await?;
        }
        if let Some(settle) = wanted.settle {
            self.read_settled(settle.into_iter().collect()).await?;
        }
        Ok(())
    }

    /// Locks streams, and reads where they end.
    pub(super) async fn lock_streams(
        &mut self,
        streams: &FxHashSet<StreamId>,
    ) -> Result<(), Fault> {
        let (kinds, keys): (Vec<i16>, Vec<Vec<u8>>) = streams
            .iter()
            .map(|stream| key_of(*stream))
            .map(|(kind, key)| (i16::try_from(kind).unwrap_or(i16::MAX), key))
            .unzip();
        let rows = sqlx::query(
            "SELECT number, kind, id, last, head FROM stream \
             JOIN unnest($1::smallint[], $2::bytea[]) AS wanted (kind, id) USING (kind, id) \
             ORDER BY number FOR UPDATE OF stream",
        )
        .bind(kinds)
        .bind(keys)
        .fetch_all(&mut *self.connection)
        .await?;
        for row in &rows {
            let kind: i16 = row.try_get("kind")?;
            let hash: &[u8] = row.try_get("head")?;
            let head = Head {
                number: row.try_get("number")?,
                seq: Seq(unsigned(row.try_get("last")?)?),
                hash: hash
                    .try_into()
                    .map_err(|_| corrupt("the end of a chain is not 32 bytes"))?,
            };
            let stream = stream_of(kind.into(), row.try_get("id")?)?;
            self.stage.heads.insert(stream, head);
        }
        Ok(())
    }

    async fn read_matches(&mut self, wanted: &FxHashSet<MatchId>) -> Result<(), Fault> {
        let wanted: Vec<i64> = wanted.iter().map(|id| id.to_i64()).collect();
        let rows = sqlx::query(
            "SELECT number, id, owner, status, first_id, second_id, address, ended_order FROM match WHERE id = ANY($1)",
        )
        .bind(wanted)
        .fetch_all(&mut *self.connection)
        .await?;
        for row in &rows {
            let seat = |column| -> Result<Option<PlayerId>, Fault> {
                let bytes: Option<&[u8]> = row.try_get(column)?;
                Ok(bytes.map(player_id).transpose()?)
            };
            let owner: i64 = row.try_get("owner")?;
            let address: Option<i64> = row.try_get("address")?;
            let known = Known {
                number: row.try_get("number")?,
                owner: NodeId(u32::try_from(owner).map_err(corrupt)?),
                status: status(row.try_get("status")?)?,
                seats: [seat("first_id")?, seat("second_id")?],
                address: address
                    .and_then(|address| u16::try_from(address).ok())
                    .map(AddressDigest),
                ended_order: row.try_get("ended_order")?,
            };
            // Not by `set`: the order row counts it already.
            let id = match_id(row.try_get("id")?)?;
            self.stage.places.matches.insert(id, known);
        }
        Ok(())
    }

    /// Who of these was erased, and which guests were removed.
    async fn read_gone(&mut self, wanted: &FxHashSet<PlayerId>) -> Result<(), Fault> {
        let rows = sqlx::query(
            "SELECT id, name FROM player WHERE id = ANY($1) AND erased \
             UNION ALL SELECT player, NULL FROM removed_guest WHERE player = ANY($1)",
        )
        .bind(ids(wanted))
        .fetch_all(&mut *self.connection)
        .await?;
        for row in &rows {
            let player = player_id(row.try_get("id")?)?;
            match row.try_get::<Option<String>, _>("name")? {
                Some(name) => drop(self.stage.erased.insert(player, name)),
                None => drop(self.stage.removed.insert(player)),
            }
        }
        Ok(())
    }

    async fn read_codes(&mut self, wanted: &FxHashSet<JoinCode>) -> Result<(), Fault> {
        let wanted: Vec<String> = wanted.iter().map(JoinCode::to_string).collect();
        let rows = sqlx::query("SELECT code, expires_at FROM join_code WHERE code = ANY($1)")
            .bind(wanted)
            .fetch_all(&mut *self.connection)
            .await?;
        for row in &rows {
            let code = row.try_get::<&str, _>("code")?.parse().map_err(corrupt)?;
            let until = Millis(unsigned(row.try_get("expires_at")?)?);
            self.stage.codes.insert(code, until);
        }
        Ok(())
    }

    async fn read_create_ids(
        &mut self,
        wanted: &FxHashSet<(PlayerId, ClientCreateId)>,
    ) -> Result<(), Fault> {
        let players: Vec<&[u8]> = wanted.iter().map(|(id, _)| &id.as_bytes()[..]).collect();
        let names: Vec<&str> = wanted.iter().map(|(_, name)| name.as_str()).collect();
        let rows = sqlx::query(
            "SELECT player, name FROM create_id JOIN unnest($1::bytea[], $2::text[]) AS wanted (player, name) USING (player, name)",
        )
        .bind(players)
        .bind(names)
        .fetch_all(&mut *self.connection)
        .await?;
        for row in &rows {
            let player = player_id(row.try_get("player")?)?;
            let name = row.try_get::<&str, _>("name")?.parse().map_err(corrupt)?;
            self.stage.create_ids.insert((player, name));
        }
        Ok(())
    }

    /// Counts the open matches of players.
    async fn count_of(&mut self, wanted: &FxHashSet<PlayerId>) -> Result<(), Fault> {
        let rows = sqlx::query(
            "SELECT wanted.id, (SELECT count(*) FROM (SELECT number FROM match WHERE first_id = wanted.id AND status <> 'over' \
             UNION SELECT number FROM match WHERE second_id = wanted.id AND status <> 'over') AS own) AS open \
             FROM unnest($1::bytea[]) AS wanted (id)",
        )
        .bind(ids(wanted))
        .fetch_all(&mut *self.connection)
        .await?;
        for row in &rows {
            let player = player_id(row.try_get("id")?)?;
            self.stage
                .places
                .open_of
                .insert(player, row.try_get("open")?);
        }
        Ok(())
    }

    /// Counts the open matches of addresses.
    async fn count_from(&mut self, wanted: &FxHashSet<AddressDigest>) -> Result<(), Fault> {
        let addresses: Vec<i64> = wanted.iter().map(|address| address.0.into()).collect();
        let rows = sqlx::query(
            "SELECT address, count(*) AS open, count(*) FILTER (WHERE status = 'waiting') AS waiting FROM match \
             WHERE address = ANY($1) AND status <> 'over' GROUP BY address",
        )
        .bind(addresses)
        .fetch_all(&mut *self.connection)
        .await?;
        let counts = &mut self.stage.places.open_from;
        counts.extend(wanted.iter().map(|address| (*address, Here::default())));
        for row in &rows {
            let address: i64 = row.try_get("address")?;
            let address = AddressDigest(u16::try_from(address).map_err(corrupt)?);
            let here = Here {
                open: row.try_get("open")?,
                waiting: row.try_get("waiting")?,
            };
            counts.insert(address, here);
        }
        Ok(())
    }
}
