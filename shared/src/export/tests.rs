mod tampering;

use super::*;
use crate::event::{EndReason, Event, TournamentGame};
use crate::ids::{Millis, Seat};
use crate::oracle::accuracies;
use crate::position::Position;
use crate::referee::{Command, Decision, Referee, Status, Terms};
use crate::suite::{Chance, starts_of};
use crate::tournament::fixture::{created, entered, id, player, rules, seed};
use crate::tournament::{
    Dated, Edition, Format, Next, OpenGame, Rules, Starts, Tournament, TournamentEvent,
    match_of_game,
};

/// A tournament that is played here.
struct Played {
    tournament: Tournament,
    starts: Vec<Position>,
    chance: Chance,
    now: u64,
    events: Vec<String>,
    records: Vec<Record>,
}

impl Played {
    fn new(format: Format, players: u32, games: u32) -> Self {
        let rules = Rules {
            starts: Starts::Random {
                recipe: "nim,heaps=3-4,max=9,count=6".to_owned(),
            },
            ..rules(games)
        };
        Self::begun_by(created(format, rules.clone()), &rules, players)
    }

    /// A Swiss tournament of five rounds whose tie-breaks follow this text. With five players somebody has a bye in each.
    fn by_text(edition: Edition) -> Self {
        let rules = rules(2);
        let mut created = created(Format::Swiss { rounds: 5 }, rules.clone());
        if let TournamentEvent::Created { tie_breaks, .. } = &mut created {
            *tie_breaks = edition;
        }
        Self::begun_by(created, &rules, 5)
    }

    fn begun_by(created: TournamentEvent, rules: &Rules, players: u32) -> Self {
        let mut played = Self {
            tournament: Tournament::created(&created).expect("it can be"),
            starts: starts_of(&rules.starts, &seed()).expect("starts"),
            chance: Chance::new(1),
            now: 1_000,
            events: Vec::new(),
            records: Vec::new(),
        };
        played.note(created);
        for number in 1..=players {
            played.append(entered(number));
        }
        played.append(TournamentEvent::EntriesClosed {});
        played.finish();
        played
    }

    fn note(&mut self, event: TournamentEvent) {
        self.now += 10;
        let at_ms = Millis(self.now);
        self.events.push(Dated { at_ms, event }.to_json());
    }

    fn append(&mut self, event: TournamentEvent) {
        self.tournament.apply(&event).expect("it fits");
        self.note(event);
    }

    fn finish(&mut self) {
        loop {
            match self.tournament.next().expect("it can be paired") {
                Next::Pair(event) => self.append(*event),
                Next::Play(open) => {
                    let game = open[self.chance.below(open.len() as u64) as usize];
                    self.play(game);
                }
                Next::Finish => self.append(TournamentEvent::SeedOpened { seed: seed() }),
                _ => return,
            }
        }
    }

    fn play(&mut self, open: OpenGame) {
        let OpenGame {
            round, board, game, ..
        } = open;
        let match_id = match_of_game(id(), round, board, game);
        let rules = self.tournament.rules();
        let terms = Terms {
            position: self.starts[open.start as usize % self.starts.len()].to_string(),
            clock: rules.clock,
            rematch_of: None,
            series: None,
        };
        let of = TournamentGame {
            id: id(),
            round,
            board,
            game,
            start_ms: rules.start_ms,
            away_ms: rules.away_ms,
        };
        let seated = [player(open.players.0), player(open.players.1)];
        self.now += 5;
        let made = Referee::create_for_tournament(terms, of, seated, Millis(self.now));
        let (mut referee, mut events) = made.expect("terms");
        let no_show = self.chance.below(8) == 0;
        let mut say = |referee: &mut Referee, now: u64, command: Command| {
            let Ok(Decision::Events(ruling)) = referee.handle(Millis(now), &command) else {
                panic!("{command:?}");
            };
            events.extend(referee.accept(ruling).expect("fresh"));
        };
        if no_show {
            self.now += 10_000;
            let loser = Some(Seat::Second);
            let reason = EndReason::NoShow;
            say(&mut referee, self.now, Command::Forfeit { loser, reason });
        } else {
            say(&mut referee, self.now, Command::StartClock { seat: None });
        }
        while referee.status() != Status::Over {
            self.now += 3;
            let seat = referee.to_move();
            let mv = self.chance.below(3);
            let position = referee.position();
            let mv = position.nth_move(seat, u128::from(mv));
            let mv = mv.or_else(|| position.nth_move(seat, 0)).expect("a move");
            let command = Command::Move {
                player: referee.player(seat).expect("seated").id,
                ply: referee.ply().next(),
                client_move_id: None,
                text: mv.to_string(),
                opponent_lag: Millis(0),
                hints: 0,
            };
            say(&mut referee, self.now, command);
        }
        let record = Record::new(match_id, events).expect("lawful");
        let (outcome, reason) = referee.outcome().expect("over");
        self.append(TournamentEvent::GameEnded {
            round,
            board,
            game,
            match_id,
            outcome,
            reason,
            head: record.head(),
        });
        self.records.push(record);
    }

    fn export(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let report = Report::of(&self.tournament);
        let accuracy = accuracies(self.tournament.players(), &self.records);
        let events = &self.events;
        let written = write(
            &mut bytes,
            id(),
            events,
            &self.records,
            &report,
            Some(&accuracy),
        );
        written.expect("a vector");
        bytes
    }
}

#[test]
fn every_format_is_verified_to_its_end() {
    for (format, players, games) in [
        (Format::RoundRobin {}, 5, 2),
        (Format::DoubleRoundRobin {}, 4, 1),
        (Format::Gauntlet { seeds: 1 }, 4, 2),
        (Format::Swiss { rounds: 4 }, 7, 2),
        (Format::Swiss { rounds: 3 }, 6, 1),
        (Format::Knockout {}, 6, 2),
        (Format::Ladder { rounds: 9 }, 5, 2),
    ] {
        let played = Played::new(format, players, games);
        let verified =
            verify(&played.export()).unwrap_or_else(|fault| panic!("{format:?} {fault}"));
        assert_eq!(verified.games, played.records.len() as u64);
        assert_eq!(verified.seed, seed());
    }
}

#[test]
fn a_tournament_keeps_the_text_of_its_tie_breaks() {
    let (old, new) = (
        Played::by_text(Edition::August2024),
        Played::by_text(Edition::March2026),
    );
    // Like every log from before there was a choice.
    assert!(!old.events[0].contains("tie_breaks"), "{}", old.events[0]);
    assert!(new.events[0].contains(r#""tie_breaks":"2026""#));
    let [old, new] = [old, new].map(|played| verify(&played.export()).expect("sound").standings);
    let values = |report: &Report| -> Vec<_> {
        let rows = report.rows.iter();
        rows.map(|row| (row.player, row.tie_breaks.clone()))
            .collect()
    };
    assert_ne!(values(&old), values(&new));
}

#[test]
fn an_event_is_written_as_it_is_stored() {
    let played = Played::new(Format::Knockout {}, 3, 1);
    for event in &played.events {
        let dated: Dated = serde_json::from_str(event).expect("an event");
        assert_eq!(&dated.to_json(), event);
    }
    let created = played.records[0].events()[0].to_json();
    assert!(matches!(
        serde_json::from_str(&created),
        Ok(Event::Created {
            tournament: Some(_),
            ..
        })
    ));
}
