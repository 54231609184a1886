//! The games of tournaments: what a tournament counts, and what the matches themselves say.

use std::collections::{BTreeMap, BTreeSet};

use grundy_shared::event::{EndReason, Outcome, TournamentGame};
use grundy_shared::ids::{MatchId, TournamentId};
use sqlx::sqlite::SqliteConnection;

use super::puzzles::Puzzles;
use super::ratings::Ratings;
use super::report::{Problem, Report};
use super::tournament::{Book, Counted};
use crate::store::{StoreError, StreamId};

/// A match that is a game of a tournament.
pub(super) struct Played {
    pub(super) id: MatchId,
    pub(super) game: TournamentGame,
    /// Who won and how, if it is over.
    pub(super) end: Option<(Outcome, EndReason)>,
}

/// Everything that is known of the games of all tournaments. About 200 bytes a game.
#[derive(Default)]
pub(super) struct Games {
    /// `None`: the log is broken, and nothing is concluded from it.
    books: BTreeMap<TournamentId, Option<Book>>,
    played: BTreeMap<MatchId, Played>,
    /// Matches with a broken log.
    broken: BTreeSet<MatchId>,
    /// What matches and logs say of ratings.
    pub(super) ratings: Ratings,
    /// What logs say of puzzles.
    pub(super) puzzles: Puzzles,
}

impl Games {
    /// Takes in what the log of a tournament counts.
    pub(super) fn take_book(&mut self, id: TournamentId, book: Option<Book>) {
        self.books.insert(id, book);
    }

    /// Takes in a match that is a game.
    pub(super) fn take_played(&mut self, played: Played) {
        self.played.insert(played.id, played);
    }

    /// The log of this match is broken.
    pub(super) fn take_broken(&mut self, id: MatchId) {
        self.broken.insert(id);
        self.ratings.take_broken(id);
    }

    /// Compares the results of the tournaments with the ends of the matches.
    pub(super) async fn check(
        &self,
        connection: &mut SqliteConnection,
        report: &mut Report,
    ) -> Result<(), StoreError> {
        for (id, book) in &self.books {
            for counted in book.iter().flat_map(|book| &book.counted) {
                if let Some(problem) = self.fault_of(*id, counted, connection).await? {
                    let log = StreamId::Tournament(*id);
                    report.find_in(Some(log), Some(counted.seq), problem);
                }
            }
        }
        for played in self.played.values() {
            if let Some(problem) = self.fault_of_match(played) {
                report.find(Some(played.id), None, problem);
            }
        }
        Ok(())
    }

    /// What is wrong with a game that is counted.
    async fn fault_of(
        &self,
        tournament: TournamentId,
        counted: &Counted,
        connection: &mut SqliteConnection,
    ) -> Result<Option<Problem>, StoreError> {
        let head: Option<Option<Vec<u8>>> =
            sqlx::query_scalar("SELECT log_head FROM match WHERE id = ?1")
                .bind(counted.id.to_i64())
                .fetch_optional(connection)
                .await?;
        let fits = head
            .flatten()
            .is_some_and(|head| data_encoding::HEXLOWER.encode(&head) == counted.head);
        if fits && self.broken.contains(&counted.id) {
            return Ok(None);
        }
        let played = self.played.get(&counted.id);
        let played = played.filter(|played| fits && counted.is_of(tournament, &played.game));
        let Some(played) = played else {
            let (what, other) = ("game".to_owned(), counted.id.to_string());
            return Ok(Some(Problem::Dangling { what, other }));
        };
        Ok(
            (played.end != Some(counted.end)).then(|| Problem::WrongResult {
                game: counted.id,
                counted: words(Some(counted.end)),
                ended: words(played.end),
            }),
        )
    }

    /// What is wrong with a match that says that it is a game.
    fn fault_of_match(&self, played: &Played) -> Option<Problem> {
        let tournament = played.game.id;
        let Some(book) = self.books.get(&tournament) else {
            let (what, other) = ("tournament".to_owned(), tournament.to_string());
            return Some(Problem::Dangling { what, other });
        };
        // A game that ended after the tournament was cancelled counts for nothing.
        let book = book.as_ref().filter(|book| !book.cancelled)?;
        let counts = book.counted.iter().any(|counted| counted.id == played.id);
        (played.end.is_some() && !counts).then(|| Problem::NotCounted {
            tournament: tournament.to_string(),
        })
    }
}

impl Counted {
    fn is_of(&self, tournament: TournamentId, game: &TournamentGame) -> bool {
        self.place == (game.round, game.board, game.game) && game.id == tournament
    }
}

fn words(end: Option<(Outcome, EndReason)>) -> String {
    match end {
        None => "unfinished".to_owned(),
        Some((outcome, reason)) => format!("{} by {}", outcome.as_str(), reason.as_str()),
    }
}
