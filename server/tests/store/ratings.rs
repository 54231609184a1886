//! The laws of ratings: each has a log, leaderboards are read by pages, and a rated match that runs is known.

use grundy_server::store::{
    Commit, Cursor, Leaderboard, MatchStatus, Projection, RatingRow, StoreError, StreamId,
};
use grundy_shared::event::{Outcome, Series};
use grundy_shared::ids::{Millis, PlayerId, Seq};
use grundy_shared::rated::{Family, RatingState, Strength};

use crate::desk::{
    bodies, conflict, id, new_player, on_every_backend, over, player, row, with_row,
};

fn family(name: &str) -> Family {
    name.parse().expect("a family")
}

fn rating(points: i32, deviation: u32, pairs: u64, bot: bool) -> RatingRow {
    RatingRow {
        state: RatingState {
            strength: Strength {
                rating: points * 100,
                deviation: deviation * 100,
                volatility: 60_000_000,
            },
            pairs: Seq(pairs),
            last_at: Millis(1_000),
        },
        bot,
    }
}

/// A commit with so many events of a rating, from the first on, and what they come to.
fn rated(who: u128, of: &str, row: RatingRow) -> Commit {
    let stream = StreamId::Rating(player(who).id, family(of));
    Commit::append(stream, Seq(0), bodies(1..=row.state.pairs.0)).with(put(who, of, row))
}

fn put(who: u128, of: &str, row: RatingRow) -> Projection {
    Projection::Rating {
        player: player(who).id,
        family: family(of),
        row,
    }
}

#[test]
fn a_rating_has_a_log_and_is_replaced_as_a_whole() {
    on_every_backend(|desk| async move {
        desk.commit(new_player(1, 1)).await.unwrap();
        let stream = StreamId::Rating(player(1).id, family("nim"));
        let first = rating(1_612, 300, 1, false);
        let without = Commit::default().with(put(1, "nim", first));
        assert_eq!(desk.commit(without).await, Err(conflict(stream, 0)));
        desk.commit(rated(1, "nim", first)).await.unwrap();
        desk.commit(rated(1, "kayles", rating(1_400, 90, 2, false)))
            .await
            .unwrap();
        let again = desk.commit(rated(1, "nim", rating(9, 9, 2, true))).await;
        assert_eq!(again, Err(conflict(stream, 1)), "nothing of it is done");
        let of = |who: u128| player(who).id;
        let ratings = desk.store.ratings(of(1)).await.unwrap();
        assert_eq!(
            ratings,
            [
                (family("kayles"), rating(1_400, 90, 2, false)),
                (family("nim"), first)
            ]
        );
        for (of_family, row) in ratings {
            assert_eq!(desk.store.rating(of(1), of_family).await, Ok(Some(row)));
            assert_eq!(desk.store.rating(of(2), of_family).await, Ok(None));
        }
        assert_eq!(desk.store.rating(of(1), family("sum")).await, Ok(None));
        let second = rating(-7, 200, 2, false);
        let next = Commit::append(stream, Seq(1), bodies([2])).with(put(1, "nim", second));
        desk.commit(next).await.unwrap();
        assert_eq!(desk.store.ratings(of(1)).await.unwrap()[1].1, second);
        assert_eq!(desk.length(stream).await, 2);
        assert_eq!(desk.store.ratings(of(2)).await.unwrap(), []);
    });
}

#[test]
fn a_leaderboard_is_read_by_pages_the_best_first() {
    on_every_backend(|desk| async move {
        // People have odd numbers. Players 1 to 15 are settled, the others are not, and three are equal.
        for who in 1..=20u128 {
            desk.commit(new_player(who, who as u8)).await.unwrap();
            let points = match who {
                5 | 7 | 9 => 1_500,
                _ => 1_400 + 10 * who as i32,
            };
            let deviation = if who <= 15 { 60 } else { 200 };
            let row = rating(points, deviation, 1, player(who).bot);
            desk.commit(rated(who, "nim", row)).await.unwrap();
        }
        let board = |bots, provisional, now| Leaderboard {
            family: family("nim"),
            bots,
            provisional,
            now: Millis(now),
        };
        let pages = async |board, limit| {
            let (mut all, mut after): (Vec<PlayerId>, Option<Cursor>) = (Vec::new(), None);
            loop {
                let page = desk.store.leaderboard(board, after.clone(), limit).await;
                let page = page.unwrap();
                assert!(page.len() <= limit);
                let Some(last) = page.last() else { return all };
                after = Some(last.cursor.to_string().parse().expect("a cursor"));
                all.extend(page.iter().map(|ranked| ranked.player.id));
            }
        };
        let mut equal = [5, 7, 9].map(|who| player(who).id);
        equal.sort_unstable();
        let expected: Vec<PlayerId> = [15, 13, 11]
            .map(|who| player(who).id)
            .into_iter()
            .chain(equal)
            .chain([3, 1].map(|who| player(who).id))
            .collect();
        for limit in [1, 2, 3, 200] {
            assert_eq!(pages(board(false, false, 2_000), limit).await, expected);
            let bots = pages(board(true, false, 2_000), limit).await;
            assert_eq!(bots.len(), 7);
            assert_eq!(bots[0], player(14).id);
            let new = pages(board(false, true, 2_000), limit).await;
            assert_eq!(new, [19, 17].map(|who| player(who).id));
        }
        // After years without play nobody is settled.
        let years = 1_000_000_000_000;
        assert!(pages(board(false, false, years), 50).await.is_empty());
        assert_eq!(pages(board(false, true, years), 50).await.len(), 10);
        let other = Leaderboard {
            family: family("sum"),
            ..board(false, false, 2_000)
        };
        assert!(pages(other, 50).await.is_empty());
        for wrong in ["1", "x.y", "1400.nobody"] {
            let cursor = Some(wrong.parse::<Cursor>().expect("it has the form"));
            let refused = desk.store.leaderboard(board(false, false, 0), cursor, 1);
            assert_eq!(refused.await, Err(StoreError::BadCursor), "{wrong}");
        }
    });
}

#[test]
fn a_rated_match_that_runs_is_known_of_both_players() {
    on_every_backend(|desk| async move {
        let series = |rated| {
            Some(Series {
                id: id(1),
                game: 1,
                games: 2,
                first_wins: 0,
                second_wins: 0,
                draws: 0,
                rated,
            })
        };
        let plays = async |who: u128| desk.store.plays_rated(player(who).id).await.unwrap();
        let live = |rated| {
            let mut live = row(1);
            live.second = Some(player(3));
            live.status = MatchStatus::Live;
            live.series = series(rated);
            live
        };
        desk.commit(with_row(2, live(false))).await.unwrap();
        let mut waiting = row(1);
        waiting.series = series(true);
        desk.commit(with_row(1, waiting)).await.unwrap();
        assert!(!plays(1).await, "nobody has joined");
        let begun = Commit::append(id(1), Seq(1), bodies([2])).with_row(id(1), live(true));
        desk.commit(begun).await.unwrap();
        assert!(plays(1).await && plays(3).await && !plays(5).await);
        let mut ended = over(1, 3);
        ended.series = series(true);
        ended.outcome = Some(Outcome::First);
        let end = Commit::append(id(1), Seq(2), bodies([3])).with_row(id(1), ended);
        desk.commit(end).await.unwrap();
        assert!(!plays(1).await && !plays(3).await);
    });
}
