//! Tournaments that contradict their rules or their matches.

use grundy_server::fsck::{Problem, Report, fsck};
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Store, StreamId};
use grundy_shared::chain;
use grundy_shared::event::{EndReason, Event, Outcome, PlayerInfo, TimeControl, TournamentGame};
use grundy_shared::ids::{Millis, PlayerId, Seq, TournamentId};
use grundy_shared::referee::{Referee, Terms};
use grundy_shared::tournament::{
    Admission, Dated, Edition, Format, Rules, Seed, Starts, TournamentEvent, Who, match_of_game,
};

use super::{database, store_steps};
use crate::played::{self, Played};

/// A tournament of two with two games, of which the first is played and counted, and the match of that game.
pub(super) struct Cup {
    pub(super) id: TournamentId,
    pub(super) events: Vec<TournamentEvent>,
    pub(super) game: Played,
}

impl Cup {
    pub(super) fn new() -> Self {
        let player = |bits: u128| PlayerInfo {
            id: PlayerId::from_random(bits),
            name: format!("player {bits}"),
            bot: false,
        };
        let rules = Rules {
            games: 2,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            starts: Starts::List {
                positions: vec!["nim:2,3".to_owned()],
            },
            start_ms: Millis(60_000),
            away_ms: Millis(60_000),
        };
        let id = TournamentId::from_random(77);
        let of = TournamentGame {
            id,
            round: 1,
            board: 1,
            game: 1,
            start_ms: rules.start_ms,
            away_ms: rules.away_ms,
        };
        let match_id = match_of_game(id, 1, 1, 1);
        let terms = Terms {
            position: "nim:2,3".to_owned(),
            clock: rules.clock,
            rematch_of: None,
            series: None,
        };
        let players = [player(1), player(2)];
        let created = Referee::create_for_tournament(terms, of, players, Millis(5)).unwrap();
        let game = played::play(match_id, created, Millis(5));
        let bodies = game.steps.iter().flat_map(|step| &step.events);
        let head = bodies.fold(chain::genesis(match_id), |head, body| {
            chain::link(&head, body.as_bytes())
        });
        let last = game.steps.last().unwrap().events.last().unwrap();
        let Event::Ended {
            outcome, reason, ..
        } = serde_json::from_str(last).unwrap()
        else {
            panic!("{last}");
        };
        let events = vec![
            TournamentEvent::Created {
                name: "Cup".to_owned(),
                organiser: player(1),
                format: Format::RoundRobin {},
                rules,
                admission: Admission {
                    who: Who::Both,
                    most: 2,
                    names: Vec::new(),
                },
                starts_at_ms: None,
                commitment: Seed::new([1; 32]).commitment(),
                tie_breaks: Edition::default(),
            },
            TournamentEvent::Entered { player: player(1) },
            TournamentEvent::Entered { player: player(2) },
            TournamentEvent::EntriesClosed {},
            TournamentEvent::RoundPaired {
                round: 1,
                pairs: vec![(1, 2)],
                byes: Vec::new(),
            },
            TournamentEvent::GameEnded {
                round: 1,
                board: 1,
                game: 1,
                match_id,
                outcome,
                reason,
                head: data_encoding::HEXLOWER.encode(&head),
            },
        ];
        Self { id, events, game }
    }

    /// What is found once it is stored beside other matches, which have the ids 1, 2 and 3.
    async fn check(self) -> Report {
        let (_directory, path) = database().await;
        let store = SqliteStore::open(&path).await.unwrap();
        let lease = played::lease(&store).await;
        if !self.events.is_empty() {
            let bodies = self.events.into_iter().map(|event| {
                let at_ms = Millis(5);
                Dated { at_ms, event }.to_json().into()
            });
            let own = StreamId::Tournament(self.id);
            let log = Commit::append(own, Seq(0), bodies.collect());
            played::commit(&store, lease, log).await.unwrap();
        }
        store_steps(&store, lease, &self.game, self.game.steps.len()).await;
        store.close().await;
        fsck(&path).await.unwrap()
    }
}

/// The one problem that is found in this tournament, and in which event of its log; after a change.
async fn finding_in_a_tournament(change: impl FnOnce(&mut Vec<TournamentEvent>)) -> (u64, Problem) {
    let mut cup = Cup::new();
    change(&mut cup.events);
    let log = format!("tournament {}", cup.id);
    let report = cup.check().await;
    assert_eq!(report.findings.len(), 1, "{report}");
    let finding = &report.findings[0];
    assert_eq!(finding.log.as_ref(), Some(&log), "{report}");
    (finding.seq.expect("an event").0, finding.problem.clone())
}

#[tokio::test]
async fn a_forged_tournament_still_has_to_follow_its_rules() {
    let report = Cup::new().check().await;
    assert!(report.is_sound(), "{report}");
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::RoundPaired { pairs, .. } = &mut events[4] {
            *pairs = vec![(2, 1)];
        }
    })
    .await;
    assert_eq!(seq, 5);
    assert!(matches!(problem, Problem::Unfit { why } if why.contains("pairing")));
    let (seq, problem) = finding_in_a_tournament(|events| {
        let twice = events[5].clone();
        events.push(twice);
    })
    .await;
    assert_eq!(seq, 7);
    assert!(matches!(problem, Problem::Unfit { why } if why.contains("result already")));
}

#[tokio::test]
async fn a_tournament_counts_what_its_matches_say() {
    // Another match than the one that ended so.
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { head, .. } = &mut events[5] {
            *head = "0".repeat(64);
        }
    })
    .await;
    assert_eq!(seq, 6);
    assert!(matches!(problem, Problem::Dangling { what, .. } if what == "game"));
    // Another result, and another cause.
    let (seq, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { outcome, .. } = &mut events[5] {
            *outcome = match outcome {
                Outcome::First => Outcome::Second,
                _ => Outcome::First,
            };
        }
    })
    .await;
    assert_eq!(seq, 6);
    assert!(matches!(problem, Problem::WrongResult { .. }), "{problem}");
    let (_, problem) = finding_in_a_tournament(|events| {
        if let TournamentEvent::GameEnded { reason, .. } = &mut events[5] {
            *reason = EndReason::Time;
        }
    })
    .await;
    assert!(
        problem.to_string().contains("by time for match"),
        "{problem}"
    );
}

#[tokio::test]
async fn a_finished_game_that_no_tournament_counts_is_found() {
    let only = async |cup: Cup| {
        let id = cup.game.id;
        let report = cup.check().await;
        assert_eq!(report.findings.len(), 1, "{report}");
        assert_eq!(report.findings[0].id, Some(id), "{report}");
        report.findings[0].problem.clone()
    };
    let mut cup = Cup::new();
    cup.events.pop();
    let problem = only(cup).await;
    assert!(matches!(problem, Problem::NotCounted { .. }), "{problem}");
    // Nor is the tournament there.
    let mut cup = Cup::new();
    cup.events.clear();
    let problem = only(cup).await;
    assert!(matches!(problem, Problem::Dangling { what, .. } if what == "tournament"));
    // What ends after a tournament is cancelled counts for nothing.
    let mut cup = Cup::new();
    let reason = "rain".to_owned();
    cup.events[5] = TournamentEvent::Cancelled { reason };
    let report = cup.check().await;
    assert!(report.is_sound(), "{report}");
}
