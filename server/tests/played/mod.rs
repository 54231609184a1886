//! Whole lawful matches, as the referee makes them, for tests that need a log.

use grundy_server::store::{MatchRow, NewMatch, Store};
use grundy_shared::event::{Event, PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seat, Seq};
use grundy_shared::referee::{Command, Decision, Referee, Terms};

/// One append of a match.
pub struct Step {
    /// The events, as stored.
    pub events: Vec<String>,
    /// The summary, where it changes.
    pub row: Option<MatchRow>,
}

/// A match from its creation to its end.
pub struct Played {
    /// Its id.
    pub id: MatchId,
    /// Its appends; the first creates it.
    pub steps: Vec<Step>,
}

fn player(bits: u128) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(bits),
        name: format!("player {bits}"),
        bot: false,
    }
}

/// A match of Nim in which both players always make the first move of the list: as many moves as there are counters at
/// most.
pub fn match_of(bits: u64, position: &str) -> Played {
    let mut now = Millis(1_000_000 * bits);
    let terms = Terms {
        position: position.to_owned(),
        clock: TimeControl::Untimed {},
        rematch_of: None,
    };
    let (mut referee, created) = Referee::create(terms, player(1), Seat::First, now).unwrap();
    let mut steps = vec![Step {
        events: created.iter().map(Event::to_json).collect(),
        row: Some(MatchRow::of(&referee, None)),
    }];
    let mut command = Command::Join { player: player(2) };
    while referee.outcome().is_none() {
        now = now.plus(Millis(10));
        let Ok(Decision::Events(events)) = referee.handle(now, &command) else {
            panic!("{command:?} is refused");
        };
        for event in &events {
            referee.apply(event).unwrap();
        }
        let ended_at = referee.outcome().map(|_| now);
        let summarise = ended_at.is_some() || steps.len() == 1;
        steps.push(Step {
            events: events.iter().map(Event::to_json).collect(),
            row: summarise.then(|| MatchRow::of(&referee, ended_at)),
        });
        let seat = referee.to_move();
        let Some(first) = referee.position().nth_move(seat, 0) else {
            break;
        };
        command = Command::Move {
            player: referee.player(seat).unwrap().id,
            ply: referee.ply().next(),
            client_move_id: None,
            text: first.to_string(),
        };
    }
    Played {
        id: MatchId::from_random(bits),
        steps,
    }
}

impl Played {
    /// Stores the first `steps` appends.
    pub async fn store(&self, store: &dyn Store, steps: usize) {
        let mut seq = Seq(0);
        for (number, step) in self.steps.iter().take(steps).enumerate() {
            if number == 0 {
                store.create(self.created()).await.unwrap();
            } else {
                store
                    .append(self.id, seq, step.events.clone(), step.row.clone())
                    .await
                    .unwrap();
            }
            seq.0 += step.events.len() as u64;
        }
    }

    /// The first append, as the store wants it.
    pub fn created(&self) -> NewMatch {
        NewMatch {
            id: self.id,
            code: None,
            row: self.steps[0]
                .row
                .clone()
                .expect("a new match has a summary"),
            events: self.steps[0].events.clone(),
        }
    }
}
