//! The laws of puzzles: each is added once, tried once by each player, and found by its rating.

use grundy_server::store::{
    Commit, CommitError, Projection, PuzzleAttempt, PuzzleRow, PuzzlesWanted, StreamId, Unique,
};
use grundy_shared::ids::{Millis, PlayerId, PuzzleId, Seq};
use grundy_shared::puzzle::{Collection, Given, PuzzleEvent, SolvingEvent, first_rating, rate};
use grundy_shared::rated::RatingState;

use crate::desk::{Desk, bodies, conflict, new_player, on_every_backend, player};

/// The first of the puzzles that come with the program, with their first ratings.
fn puzzles(count: usize) -> Vec<PuzzleRow> {
    let edition = Collection::edition();
    let rows = edition.numbered().take(count).map(|(_, puzzle)| PuzzleRow {
        state: first_rating(puzzle),
        puzzle: puzzle.clone(),
    });
    rows.collect()
}

fn added(row: &PuzzleRow, at_most: u64) -> Projection {
    let row = Box::new(row.clone());
    Projection::Puzzle { row, at_most }
}

async fn with_puzzles(desk: &Desk, rows: &[PuzzleRow]) {
    let add = |commit: Commit, row| commit.with(added(row, 1_000));
    let commit = rows.iter().fold(Commit::default(), add);
    desk.commit(commit).await.unwrap();
}

/// An attempt with the ratings that are in the store.
async fn attempt(desk: &Desk, who: PlayerId, puzzle: PuzzleId, solved: bool) -> Commit {
    let mine = desk.store.solver(who).await.unwrap().unwrap_or_default();
    let row = desk.store.puzzle(puzzle).await.unwrap();
    attempt_from(who, puzzle, solved, mine, row.expect("a puzzle").state)
}

fn attempt_from(
    player: PlayerId,
    puzzle: PuzzleId,
    solved: bool,
    mut solving: RatingState,
    mut tried: RatingState,
) -> Commit {
    let given = Given {
        puzzle,
        at_ms: Millis(5_000),
        mv: None,
        solved,
    };
    let (mine, its) = rate(given, &solving, &tried);
    let (mine_expected, its_expected) = (solving.pairs, tried.pairs);
    solving.advance(mine.at_ms, mine.after);
    tried.advance(its.at_ms, its.after);
    let events = [
        SolvingEvent::Attempted(mine).to_json(),
        PuzzleEvent::Tried(its).to_json(),
    ];
    let [mine, its] = events.map(|event| vec![event.into()]);
    Commit::append(StreamId::Solving(player), mine_expected, mine)
        .and(StreamId::Puzzle(puzzle), its_expected, its)
        .with(Projection::Attempt(Box::new(PuzzleAttempt {
            player,
            solving,
            puzzle,
            tried,
        })))
}

fn near(who: PlayerId, rating: i32, limit: usize) -> PuzzlesWanted {
    PuzzlesWanted {
        player: who,
        family: None,
        rating,
        limit,
    }
}

#[test]
fn law_20_a_puzzle_is_added_once_and_never_beyond_the_number() {
    on_every_backend(|desk| async move {
        let rows = puzzles(3);
        let [one, two, three] = [&rows[0], &rows[1], &rows[2]];
        let id = one.puzzle.id();
        assert_eq!(desk.store.puzzle(id).await, Ok(None));
        let first = Commit::default().with(added(one, 2)).with(added(one, 2));
        desk.commit(first).await.unwrap();
        assert_eq!(desk.store.puzzle(id).await, Ok(Some(one.clone())));
        // What is known stays as it is.
        let mut other = one.clone();
        other.state.strength.rating += 1;
        desk.commit(Commit::default().with(added(&other, 9)))
            .await
            .unwrap();
        assert_eq!(desk.store.puzzle(id).await, Ok(Some(one.clone())));
        // What is refused is not counted.
        let refused = Commit::append(StreamId::Audit, Seq(9), bodies([1])).with(added(two, 2));
        assert!(desk.commit(refused).await.is_err());
        let more = Commit::default().with(added(two, 2)).with(added(three, 2));
        desk.commit(more).await.unwrap();
        assert!(desk.store.puzzle(two.puzzle.id()).await.unwrap().is_some());
        assert_eq!(desk.store.puzzle(three.puzzle.id()).await, Ok(None));
        desk.commit(Commit::default().with(added(three, 3)))
            .await
            .unwrap();
        assert!(
            desk.store
                .puzzle(three.puzzle.id())
                .await
                .unwrap()
                .is_some()
        );
    });
}

#[test]
fn law_20_a_player_tries_a_puzzle_once_and_both_have_a_log() {
    on_every_backend(|desk| async move {
        desk.commit(new_player(1, 1)).await.unwrap();
        let rows = puzzles(2);
        let (who, id) = (player(1).id, rows[0].puzzle.id());
        let (solving, puzzle) = (StreamId::Solving(who), StreamId::Puzzle(id));
        let start = (RatingState::default(), rows[0].state);
        let unknown = attempt_from(who, id, true, start.0, start.1);
        assert_eq!(desk.commit(unknown.clone()).await, Err(conflict(puzzle, 0)));
        with_puzzles(&desk, &rows).await;
        for stream in [solving, puzzle] {
            let mut without = unknown.clone();
            without.appends.retain(|append| append.stream != stream);
            assert_eq!(desk.commit(without).await, Err(conflict(stream, 0)));
        }
        assert_eq!(desk.store.solver(who).await, Ok(None));
        assert_eq!(desk.store.attempt(who, id).await, Ok(None));
        desk.commit(unknown).await.unwrap();
        assert_eq!(desk.store.attempt(who, id).await, Ok(Some(Seq(1))));
        let row = desk.store.puzzle(id).await.unwrap().unwrap();
        assert_eq!((row.state.pairs, &row.puzzle), (Seq(1), &rows[0].puzzle));
        let state = desk.store.solver(who).await.unwrap().unwrap();
        assert!(
            state.strength.rating > 150_000 && row.state.strength.rating < start.1.strength.rating
        );
        // Once more, with the numbers of now: nothing of it is done.
        let again = attempt(&desk, who, id, false).await;
        assert_eq!(
            desk.commit(again).await,
            Err(CommitError::Taken(Unique::Attempt))
        );
        assert_eq!(desk.store.solver(who).await, Ok(Some(state)));
        assert_eq!(
            (desk.length(solving).await, desk.length(puzzle).await),
            (1, 1)
        );
        // Another puzzle, and another player.
        let other = rows[1].puzzle.id();
        desk.commit(attempt(&desk, who, other, false).await)
            .await
            .unwrap();
        assert_eq!(desk.store.attempt(who, other).await, Ok(Some(Seq(2))));
        let theirs = attempt(&desk, player(3).id, id, true).await;
        desk.commit(theirs).await.unwrap();
        assert_eq!(desk.store.attempt(player(3).id, id).await, Ok(Some(Seq(1))));
        assert_eq!(desk.length(puzzle).await, 2);
    });
}

/// Two servers that share the store have read the same numbers: one of them reads them again.
#[test]
fn of_two_servers_that_rate_at_once_one_gets_a_conflict() {
    on_every_backend(|desk| async move {
        let rows = puzzles(2);
        with_puzzles(&desk, &rows).await;
        let (ada, bo) = (player(1).id, player(3).id);
        let [one, two] = [rows[0].puzzle.id(), rows[1].puzzle.id()];
        // The same player at two puzzles, and two players at the same puzzle.
        let here = attempt(&desk, ada, one, true).await;
        let there = attempt(&desk, ada, two, true).await;
        let beside = attempt(&desk, bo, one, true).await;
        desk.commit(here.clone()).await.unwrap();
        assert_eq!(
            desk.commit(there).await,
            Err(conflict(StreamId::Solving(ada), 1))
        );
        assert_eq!(
            desk.commit(beside).await,
            Err(conflict(StreamId::Puzzle(one), 1))
        );
        assert_eq!(
            desk.commit(here).await,
            Err(conflict(StreamId::Solving(ada), 1))
        );
        for (who, id) in [(ada, two), (bo, one)] {
            let again = attempt(&desk, who, id, true).await;
            desk.commit(again).await.unwrap();
        }
        assert_eq!(desk.length(StreamId::Puzzle(one)).await, 2);
        // Both in one batch: the first one counts.
        let (left, right) = (
            attempt(&desk, bo, two, true).await,
            attempt(&desk, bo, two, false).await,
        );
        let both = desk.store.commit(desk.lease, vec![left, right]).await;
        assert_eq!(both[0], Ok(()));
        assert_eq!(both[1], Err(conflict(StreamId::Solving(bo), 2)));
    });
}

#[test]
fn the_nearest_puzzles_that_a_player_has_not_tried_are_found() {
    on_every_backend(|desk| async move {
        let rows = puzzles(60);
        with_puzzles(&desk, &rows).await;
        let ada = player(1).id;
        let mut left = rows.clone();
        for rating in [150_000, 90_000, 300_000] {
            left.sort_by_key(|row| {
                let own = row.state.strength.rating;
                (own.abs_diff(rating), row.puzzle.id())
            });
            let found = desk.store.puzzles_near(near(ada, rating, 5)).await;
            assert_eq!(found.as_deref(), Ok(&left[..5]));
            // What was tried is not found again.
            let tried = left.remove(0).puzzle.id();
            let commit = attempt(&desk, ada, tried, true).await;
            desk.commit(commit).await.unwrap();
            let found = desk.store.puzzles_near(near(ada, rating, 100)).await;
            let found = found.unwrap();
            assert_eq!(found, left[..16], "a page is bounded");
            let others = desk
                .store
                .puzzles_near(near(player(3).id, rating, 16))
                .await;
            assert_eq!(others.unwrap().len(), 16);
        }
        let family = rows[0].puzzle.family();
        let of_family = PuzzlesWanted {
            family: Some(family),
            ..near(ada, 150_000, 16)
        };
        let found = desk.store.puzzles_near(of_family).await.unwrap();
        assert!(!found.is_empty());
        assert!(found.iter().all(|row| row.puzzle.family() == family));
        let none = desk.store.puzzles_near(near(ada, 150_000, 0)).await;
        assert_eq!(none.as_deref(), Ok(&[][..]));
    });
}
