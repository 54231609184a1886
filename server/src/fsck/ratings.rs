//! Ratings: each is computed again from its log, and each pair is looked for in the logs of both players and among the matches.

use std::collections::{BTreeMap, BTreeSet};

use futures::TryStreamExt;
use grundy_shared::event::{PlayerInfo, Series, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::rated::{Family, Rated, RatedPair, RatingEvent, RatingState};
use grundy_shared::referee::Referee;
use sqlx::Row;
use sqlx::sqlite::{SqliteConnection, SqliteRow};

use super::report::{Problem, Report};
use super::value::value;
use crate::store::sqlite::erasing::erasures;
use crate::store::sqlite::rating_rows::{rating_columns, read_rating};
use crate::store::sqlite::rows::unsigned;
use crate::store::sqlite::seal::read_sealed_rating;
use crate::store::{RatingRow, StoreError, StreamId};

/// The log of a rating on its way through the checks.
#[derive(Default)]
pub(super) struct Fold {
    state: RatingState,
    pairs: Vec<Rated>,
}

impl Fold {
    /// Takes in the next event, and computes its figures again.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn take(&mut self, body: &[u8]) -> Result<(), Problem> {
        let RatingEvent::Rated(rated) = serde_json::from_slice(body).map_err(|error| {
            let why = error.to_string();
            Problem::NotAnEvent { why }
        })?;
        let checked = self.state.check(&rated);
        self.pairs.push(rated);
        checked.map_err(|fault| Problem::WrongRating {
            why: fault.to_string(),
        })
    }
}

/// Everything that is known of ratings. About a kilobyte a pair.
#[derive(Default)]
pub(super) struct Ratings {
    /// `None`: the log is broken, and nothing is concluded from it.
    logs: BTreeMap<(PlayerId, Family), Option<Fold>>,
    /// Pairs that are over, by their last matches.
    pairs: BTreeMap<MatchId, RatedPair>,
    /// Games of rated pairs.
    games: BTreeMap<MatchId, Game>,
    /// Matches with a broken log.
    broken: BTreeSet<MatchId>,
}

impl Ratings {
    /// Takes in the log of a rating.
    pub(super) fn take_log(&mut self, player: PlayerId, family: Family, fold: Option<Fold>) {
        self.logs.insert((player, family), fold);
    }

    /// Takes in a rated pair that is over.
    pub(super) fn take_pair(&mut self, pair: RatedPair) {
        self.pairs.insert(pair.last, pair);
    }

    /// Adds a match if it is a game of a rated pair.
    pub(super) fn take_game(&mut self, id: MatchId, referee: &Referee) {
        if let Some(game) = Game::of(referee) {
            self.games.insert(id, game);
        }
    }

    /// The log of this match is broken.
    pub(super) fn take_broken(&mut self, id: MatchId) {
        self.broken.insert(id);
    }

    /// Compares the logs with each other, with the matches and with the ratings that are kept beside them.
    pub(super) async fn check(
        &mut self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        for erasure in erasures(connection).await? {
            self.rename(erasure.player, &erasure.name);
        }
        for ((player, family), fold) in &self.logs {
            let stream = StreamId::Rating(*player, *family);
            for (seq, rated) in (1..).zip(fold.iter().flat_map(|fold| &fold.pairs)) {
                if let Some(problem) = self.fault_of(*player, *family, Seq(seq), rated) {
                    report.find_in(Some(stream), Some(Seq(seq)), problem);
                }
            }
        }
        let counts = self.counts();
        for pair in self.pairs.values() {
            for player in &pair.players {
                let log = (player.id, pair.family);
                let broken = matches!(self.logs.get(&log), Some(None));
                if !broken && counts.get(&(log, pair.last)) != Some(&1) {
                    let player = player.id.to_string();
                    report.find(Some(pair.last), None, Problem::NotRated { player });
                }
            }
        }
        for (id, game) in &self.games {
            if let Some(problem) = self.fault_of_game(*id, game) {
                report.find(Some(*id), None, problem);
            }
        }
        self.check_rows(connection, report).await
    }

    /// A player is being erased: some logs have the old name still, and some the one that stands for the player already.
    fn rename(&mut self, player: PlayerId, name: &str) {
        let opponents = self
            .logs
            .values_mut()
            .flatten()
            .flat_map(|fold| &mut fold.pairs)
            .map(|rated| &mut rated.opponent);
        let seated = self.games.values_mut().flat_map(|game| &mut game.players);
        let players = self.pairs.values_mut().flat_map(|pair| &mut pair.players);
        for described in opponents.chain(seated.flatten()).chain(players) {
            if described.id == player {
                name.clone_into(&mut described.name);
            }
        }
    }

    /// Reports errors in the second game of a pair, which follows from the first.
    fn fault_of_game(&self, id: MatchId, game: &Game) -> Option<Problem> {
        let pair = game.series.id;
        let fits = match self.games.get(&pair) {
            // A broken log gives nothing to compare.
            _ if self.broken.contains(&pair) => true,
            _ if game.series.match_id() != id => false,
            _ if game.series.game == 1 => true,
            None => false,
            Some(first) => first.leads_to(game),
        };
        let (what, other) = ("first game".to_owned(), pair.to_string());
        (!fits).then_some(Problem::Dangling { what, other })
    }

    /// What is wrong with a pair in the log of a player.
    fn fault_of(
        &self,
        player: PlayerId,
        family: Family,
        seq: Seq,
        rated: &Rated,
    ) -> Option<Problem> {
        if !self.broken.contains(&rated.match_id) {
            let said = self.pairs.get(&rated.match_id).and_then(|pair| {
                let sits = |seat: &Seat| pair.players[seat.index()].id == player;
                let seat = Seat::BOTH.into_iter().find(sits)?;
                let same = pair.family == family
                    && pair.pair == rated.pair
                    && pair.at_ms == rated.at_ms
                    && pair.score_of(seat) == rated.score
                    && pair.players[seat.other().index()] == rated.opponent;
                same.then_some(())
            });
            if said.is_none() {
                let (what, other) = ("pair".to_owned(), rated.match_id.to_string());
                return Some(Problem::Dangling { what, other });
            }
        }
        let Some(other) = self.logs.get(&(rated.opponent.id, family)) else {
            return Some(other_side(rated));
        };
        // A broken log gives nothing to compare.
        let other = other.as_ref()?;
        let place = usize::try_from(rated.opponent_seq.0.checked_sub(1)?).ok()?;
        let fits = other.pairs.get(place).is_some_and(|theirs| {
            theirs.match_id == rated.match_id
                && theirs.opponent.id == player
                && theirs.opponent_seq == seq
                && theirs.score == rated.score.of_opponent()
                && theirs.before == rated.against
                && theirs.against == rated.before
        });
        (!fits).then(|| other_side(rated))
    }

    /// How often each pair is in each log. Cost: linear in the pairs, but for a logarithm.
    fn counts(&self) -> BTreeMap<((PlayerId, Family), MatchId), usize> {
        let mut counts = BTreeMap::new();
        for (log, fold) in &self.logs {
            for rated in fold.iter().flat_map(|fold| &fold.pairs) {
                *counts.entry((*log, rated.match_id)).or_default() += 1;
            }
        }
        counts
    }

    async fn check_rows(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        let mut seen = BTreeSet::new();
        let mut rows = sqlx::query(concat!(
            "SELECT ",
            rating_columns!(),
            ", settled_until, player.bot AS known_bot FROM rating LEFT JOIN player ON player.id = rating.player"
        ))
        .fetch(connection);
        while let Some(row) = rows.try_next().await? {
            let note = |problem| report.find(None, None, problem);
            let Some((player, family, stored, until, bot)) =
                value(read(&row), note, ["rating", "player, family, rating"])
            else {
                continue;
            };
            seen.insert((player, family));
            let stream = Some(StreamId::Rating(player, family));
            if bot != Some(stored.bot) {
                let table = "rating".to_owned();
                report.find_in(stream, None, Problem::Orphan { table });
            }
            let fold = match self.logs.get(&(player, family)) {
                None => {
                    let what = "log".to_owned();
                    report.find_in(stream, None, Problem::HalfGone { what });
                    continue;
                }
                Some(None) => continue,
                Some(Some(fold)) => fold,
            };
            if let Err(StoreError::Corrupt { .. }) = read_sealed_rating(&row) {
                let what = "rating".to_owned();
                report.find_in(stream, None, Problem::WrongSeal { what });
            }
            if stored.state != fold.state || until != fold.state.settled_until() {
                let (stored, replayed) = (words(&stored.state), words(&fold.state));
                let field = "rating".to_owned();
                let problem = Problem::WrongSummary {
                    field,
                    stored,
                    replayed,
                };
                report.find_in(stream, None, problem);
            }
        }
        for (player, family) in self.logs.keys().filter(|key| !seen.contains(*key)) {
            let what = "summary".to_owned();
            let stream = StreamId::Rating(*player, *family);
            report.find_in(Some(stream), None, Problem::HalfGone { what });
        }
        Ok(())
    }
}

/// A game of a rated pair, without its moves.
struct Game {
    series: Series,
    start: String,
    clock: TimeControl,
    players: [Option<PlayerInfo>; 2],
    /// The place of the game that follows, once this one has ended so that one does.
    next: Option<Series>,
}

impl Game {
    fn of(referee: &Referee) -> Option<Self> {
        let end = referee.outcome();
        Some(Self {
            series: referee.series().filter(|series| series.rated)?,
            start: referee.start().to_string(),
            clock: referee.clock_control(),
            players: Seat::BOTH.map(|seat| referee.player(seat).cloned()),
            next: end.and_then(|(outcome, reason)| referee.next_in_series(outcome, reason)),
        })
    }

    /// Whether `second` is the game that follows: the same start and clock, sides swapped, and the score after this one.
    fn leads_to(&self, second: &Self) -> bool {
        let [first, other] = &self.players;
        self.next == Some(second.series)
            && self.start == second.start
            && self.clock == second.clock
            && [other, first] == [&second.players[0], &second.players[1]]
    }
}

type Stored = (PlayerId, Family, RatingRow, Millis, Option<bool>);

fn read(row: &SqliteRow) -> Result<Stored, StoreError> {
    let (player, family, stored) = read_rating(row)?;
    let until = Millis(unsigned(row.try_get("settled_until")?)?);
    Ok((player, family, stored, until, row.try_get("known_bot")?))
}

/// The opponent's log does not say the same.
fn other_side(rated: &Rated) -> Problem {
    let (what, other) = ("opponent".to_owned(), rated.opponent.id.to_string());
    Problem::Dangling { what, other }
}

/// A rating as a person reads it.
fn words(state: &RatingState) -> String {
    let rating = state.strength.to_rating();
    format!(
        "{:.2} ± {:.2} (volatility {:.9}) after {} pairs, at {}, provisional from {}",
        rating.rating,
        2.0 * rating.deviation,
        rating.volatility,
        state.pairs,
        state.last_at.0,
        state.settled_until().0
    )
}
