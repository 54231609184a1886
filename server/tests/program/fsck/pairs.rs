//! Rated pairs whose games do not follow from each other.

use grundy_server::fsck::{Problem, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{MatchRow, Store};
use grundy_shared::event::{Event, PlayerInfo, Series, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat};
use grundy_shared::referee::{Referee, Terms};

use super::{database, store_steps};
use crate::played::{self, Played};

/// Changes the second game of a rated pair and recomputes its chain; returns the findings.
async fn finding_in_a_pair(change: impl FnOnce(&mut Terms, &mut [PlayerInfo; 2])) -> Vec<Problem> {
    let (_directory, path) = database().await;
    let player = |bits: u128| PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: false,
    };
    let pair = MatchId::from_random(9);
    let terms = |series| Terms {
        position: "nim:2,3".to_owned(),
        clock: TimeControl::Fischer {
            base_ms: Millis(60_000),
            increment_ms: Millis(0),
        },
        rematch_of: None,
        series,
    };
    let series = Series::first(pair, 2, true).unwrap();
    let created = Referee::create(terms(series), player(1), Seat::First, Millis(5)).unwrap();
    let first = played::play(pair, created, Millis(5));
    let bodies = first.steps.iter().flat_map(|step| &step.events);
    let events: Vec<Event> = bodies
        .map(|body| serde_json::from_str(body).unwrap())
        .collect();
    let (end, earlier) = events.split_last().unwrap();
    let (id, next, _) = Referee::replay(earlier)
        .map_or_else(|_| Referee::replay(&events[..2]), Ok)
        .unwrap()
        .open_next(end)
        .unwrap()
        .unwrap();
    let (mut terms, mut players) = (terms(next.series()), [player(2), player(1)]);
    change(&mut terms, &mut players);
    let [one, other] = players;
    let (mut game, mut created) = Referee::create(terms, one, Seat::First, Millis(900)).unwrap();
    let joined = Event::Joined {
        at_ms: Millis(900),
        seat: Seat::Second,
        player: other,
    };
    game.apply(&joined).unwrap();
    created.push(joined);
    let second = Played {
        id,
        steps: vec![played::Step {
            events: created.iter().map(Event::to_json).collect(),
            row: Some(MatchRow::of(&game, None)),
        }],
    };
    let store = SqliteStore::open(&path).await.unwrap();
    let lease = played::lease(&store).await;
    store_steps(&store, lease, &first, first.steps.len()).await;
    store_steps(&store, lease, &second, 1).await;
    store.close().await;
    let report = fsck(&path).await.unwrap();
    report
        .findings
        .into_iter()
        .map(|finding| finding.problem)
        .collect()
}

#[tokio::test]
async fn the_second_game_of_a_pair_follows_from_the_first() {
    assert_eq!(finding_in_a_pair(|_, _| {}).await, []);
    type Change = fn(&mut Terms, &mut [PlayerInfo; 2]);
    let changes: [Change; 4] = [
        |terms, _| terms.position = "nim:2,4".to_owned(),
        |terms, _| {
            terms.clock = TimeControl::PerMove {
                move_ms: Millis(60_000),
            }
        },
        |_, players| players.reverse(),
        |terms, _| {
            let series = terms.series.as_mut().expect("a pair");
            std::mem::swap(&mut series.first_wins, &mut series.second_wins);
        },
    ];
    for change in changes {
        let found = finding_in_a_pair(change).await;
        assert!(
            matches!(&found[..], [Problem::Dangling { what, .. }] if what == "first game"),
            "{found:?}"
        );
    }
}
