use serde_json::{Value, json};

use super::*;
use crate::event::{EndReason, Event, PlayerInfo, TimeControl, TournamentGame};
use crate::ids::{MatchId, Millis, PlayerId, Seat};
use crate::position::Position;
use crate::referee::{Command, Decision, Referee, Status, Terms};
use crate::suite::{Chance, starts_of};
use crate::tournament::{
    Admission, Dated, Format, Next, OpenGame, Rules, Seed, Starts, Tournament, TournamentEvent,
    Who, match_of_game,
};

fn id() -> TournamentId {
    TournamentId::from_random(77)
}

fn seed() -> Seed {
    Seed::new([5; 32])
}

fn player(number: u32) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("bot{number}"),
        bot: true,
    }
}

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
            games,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(1_000),
            },
            starts: Starts::Random {
                recipe: "nim,heaps=3-4,max=9,count=6".to_owned(),
            },
            start_ms: Millis(10_000),
            away_ms: Millis(10_000),
        };
        let created = TournamentEvent::Created {
            name: "Cup".to_owned(),
            organiser: player(0),
            format,
            admission: Admission {
                who: Who::Bots,
                most: 20,
                names: Vec::new(),
            },
            starts_at_ms: None,
            commitment: seed().commitment(),
            rules: rules.clone(),
        };
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
            played.append(TournamentEvent::Entered {
                player: player(number),
            });
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
        write(&mut bytes, id(), &self.events, &self.records, &report).expect("a vector");
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

/// An export as lines of JSON that can be changed.
struct File(Vec<Value>);

impl File {
    fn of(bytes: &[u8]) -> Self {
        let text = std::str::from_utf8(bytes).expect("UTF-8");
        // Not through a map: the order of fields matters.
        Self(
            text.lines()
                .map(|line| Value::String(line.to_owned()))
                .collect(),
        )
    }

    fn line(&mut self, at: usize) -> &mut String {
        match &mut self.0[at] {
            Value::String(line) => line,
            _ => unreachable!("lines are kept as text"),
        }
    }

    fn find(&self, part: &str) -> usize {
        let found = self
            .0
            .iter()
            .position(|line| line.as_str().is_some_and(|line| line.contains(part)));
        found.unwrap_or_else(|| panic!("no line has {part}"))
    }

    fn replace(&mut self, at: usize, from: &str, to: &str) {
        let line = self.line(at);
        assert!(line.contains(from), "{line} has no {from}");
        *line = line.replacen(from, to, 1);
    }

    fn bytes(&self) -> Vec<u8> {
        let lines = self
            .0
            .iter()
            .map(|line| format!("{}\n", line.as_str().unwrap_or("")));
        lines.collect::<String>().into_bytes()
    }

    /// Makes the chains fit again, as a careful forger would: those of the records, and that of the log with what it says of them.
    fn forge(&mut self) {
        let mut at = 1;
        while self.line(at).starts_with(r#"{"seq":"#) {
            at += 1;
        }
        let first_record = at;
        while at < self.0.len() && self.line(at).starts_with(r#"{"schema":"grundy/record"#) {
            let header: Value = serde_json::from_str(self.line(at)).expect("a header");
            let count = header["events"].as_u64().expect("a count") as usize;
            let match_id: MatchId = header["match"]
                .as_str()
                .expect("an id")
                .parse()
                .expect("an id");
            let bodies =
                (at + 1..=at + count).map(|line| body(self.0[line].as_str().expect("text")));
            let head = bodies.fold(chain::genesis(match_id), |link, body| {
                chain::link(&link, body.as_bytes())
            });
            let old = header["head"].as_str().expect("a head").to_owned();
            let new = hex(&head);
            for line in 1..=at {
                let line = self.line(line);
                *line = line.replace(&old, &new);
            }
            at += count + 1;
        }
        let bodies: Vec<String> = (1..first_record)
            .map(|line| body(self.0[line].as_str().expect("text")))
            .collect();
        let head = hex(&head_of(id(), bodies.iter().map(String::as_bytes)));
        let header: Value = serde_json::from_str(self.line(0)).expect("a header");
        let old = header["head"].as_str().expect("a head").to_owned();
        self.replace(0, &old, &head);
    }
}

/// The part of a line that is hashed.
fn body(line: &str) -> String {
    let from = line.find(r#""body":"#).expect("a body") + 7;
    line[from..line.len() - 1].to_owned()
}

type Tamper = (&'static str, bool, fn(&mut File), &'static str);

/// What is done, whether the chains are then made to fit, and what the verifier has to say.
const TAMPERINGS: &[Tamper] = &[
    (
        "the schema",
        false,
        |file| file.replace(0, "tournament/1", "tournament/2"),
        "schema",
    ),
    (
        "the id of the tournament",
        false,
        |file| {
            let other = TournamentId::from_random(78).to_string();
            file.replace(0, &id().to_string(), &other);
        },
        "the log was changed",
    ),
    (
        "the number of games",
        false,
        |file| {
            let games: Value = serde_json::from_str(file.line(0)).expect("a header");
            let games = format!(r#""games":{}"#, games["games"]);
            file.replace(0, &games, r#""games":3"#);
        },
        "promises 3 games",
    ),
    (
        "the name of the tournament",
        false,
        |file| file.replace(1, "Cup", "Cap"),
        "the log was changed",
    ),
    (
        "an event left out",
        false,
        |file| {
            file.0.remove(3);
        },
        "this is event 4, not 3",
    ),
    (
        "two events exchanged",
        true,
        |file| {
            let at = file.find(r#""type":"entries_closed""#);
            file.0.swap(at, at + 1);
        },
        "this is event",
    ),
    (
        "an event twice",
        true,
        |file| {
            let line = file.0[2].clone();
            file.0.insert(2, line);
        },
        "this is event 2, not 3",
    ),
    (
        "the commitment",
        true,
        |file| {
            let seed = Seed::new([6; 32]).commitment().to_string();
            file.replace(1, &super::tests::seed().commitment().to_string(), &seed);
        },
        "not the one that was committed to",
    ),
    (
        "the seed",
        true,
        |file| {
            let at = file.find("seed_opened");
            file.replace(at, &seed().to_string(), &Seed::new([6; 32]).to_string());
        },
        "not the one that was committed to",
    ),
    (
        "the seed and its commitment",
        true,
        |file| {
            let other = Seed::new([6; 32]);
            file.replace(
                1,
                &seed().commitment().to_string(),
                &other.commitment().to_string(),
            );
            let at = file.find("seed_opened");
            file.replace(at, &seed().to_string(), &other.to_string());
        },
        "and the seed gives",
    ),
    (
        "the recipe of the starts",
        true,
        |file| file.replace(1, "max=9", "max=8"),
        "and the seed gives",
    ),
    (
        "a pairing",
        true,
        |file| {
            let at = file.find(r#""type":"round_paired","round":2"#);
            let line = file.line(at);
            let pairs = line[line.find("[[").expect("pairs")..].to_owned();
            let first = &pairs[1..=pairs.find(']').expect("a pair")];
            let mut numbers = first.trim_matches(['[', ']']).split(',');
            let (one, two) = (numbers.next().expect("two"), numbers.next().expect("two"));
            let swapped = format!("[{two},{one}]");
            let first = first.to_owned();
            file.replace(at, &first, &swapped);
        },
        "is not the one that the rules give",
    ),
    (
        "a result in the log",
        true,
        |file| {
            let at = file.find(r#""outcome":"first","reason":"last_move","head""#);
            file.replace(at, r#""outcome":"first""#, r#""outcome":"second""#);
        },
        "the tournament counts second",
    ),
    (
        "how a game ended",
        true,
        |file| {
            let at = file.find(r#""reason":"no_show","head""#);
            file.replace(at, "no_show", "resignation");
        },
        "the tournament counts first by resignation",
    ),
    (
        "the match of a game",
        true,
        |file| {
            let at = file.find("game_ended");
            let own = match_of_game(id(), 1, 1, 1).to_string();
            let other = MatchId::from_random(3).to_string();
            let is_own = file.line(at).contains(&own);
            let own = if is_own {
                own
            } else {
                let line: Value = serde_json::from_str(file.line(at)).expect("JSON");
                line["body"]["match"].as_str().expect("an id").to_owned()
            };
            file.replace(at, &own, &other);
        },
        "the match of game",
    ),
    (
        "a result twice",
        true,
        |file| {
            let at = file.find("game_ended");
            let line = file.line(at).clone();
            file.0.insert(at + 1, Value::String(line));
        },
        "this is event",
    ),
    (
        "a move in a record",
        false,
        |file| {
            let at = file.find(r#""type":"moved""#);
            let line = file.line(at);
            let from = line.find(r#""move":""#).expect("a move") + 8;
            line.replace_range(from..from + 1, "Z");
        },
        "this cannot have happened",
    ),
    (
        "the name of a player in a record",
        true,
        |file| {
            let at = file.find(r#"{"schema":"grundy/record"#) + 1;
            let line: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let name = line["body"]["creator"]["name"]
                .as_str()
                .expect("a name")
                .to_owned();
            file.replace(at, &format!(r#""name":"{name}""#), r#""name":"nobody""#);
        },
        "the first player is not",
    ),
    (
        "the clock of a record",
        true,
        |file| {
            let at = file.find(r#"{"schema":"grundy/record"#) + 1;
            file.replace(at, r#""base_ms":60000"#, r#""base_ms":60001"#);
        },
        "",
    ),
    (
        "the start of a record",
        false,
        |file| {
            let at = file.find(r#"{"schema":"grundy/record"#) + 1;
            file.replace(at, r#""position":"nim:"#, r#""position":"nim:1,"#);
        },
        "",
    ),
    (
        "the game of a record",
        true,
        |file| {
            let at = file.find(r#"{"schema":"grundy/record"#) + 1;
            file.replace(at, r#""away_ms":10000"#, r#""away_ms":10001"#);
        },
        "was not made for this game",
    ),
    (
        "a record that leaves its last event out",
        false,
        |file| {
            let at = file.find(r#""type":"ended","#);
            file.0.remove(at);
        },
        "",
    ),
    (
        "two records exchanged",
        false,
        |file| {
            let one = file.find(r#"{"schema":"grundy/record"#);
            let count = |line: &Value| {
                let header: Value =
                    serde_json::from_str(line.as_str().expect("text")).expect("JSON");
                header["events"].as_u64().expect("a count") as usize + 1
            };
            let first = count(&file.0[one]);
            let second = count(&file.0[one + first]);
            file.0[one..one + first + second].rotate_left(first);
        },
        "this is the record of match",
    ),
    (
        "a record left out",
        false,
        |file| {
            let one = file.find(r#"{"schema":"grundy/record"#);
            let header: Value = serde_json::from_str(file.line(one)).expect("JSON");
            let count = header["events"].as_u64().expect("a count") as usize;
            file.0.drain(one..=one + count);
        },
        "this is the record of match",
    ),
    (
        "the points of a player",
        false,
        |file| {
            let at = file.0.len() - 1;
            let report: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let points = report["standings"]["rows"][0]["points"]
                .as_f64()
                .expect("points");
            file.replace(at, &format!(r#""points":{points:?}"#), r#""points":99.0"#);
        },
        "row 1 of the standings is wrong",
    ),
    (
        "a tie-break",
        false,
        |file| {
            let at = file.0.len() - 1;
            let report: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let value = report["standings"]["rows"][1]["tie_breaks"]["SB"]
                .as_f64()
                .expect("SB");
            file.replace(at, &format!(r#""SB":{value:?}"#), r#""SB":77.5"#);
        },
        "of the standings is wrong",
    ),
    (
        "a rating",
        false,
        |file| {
            let at = file.0.len() - 1;
            let report: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let elo = report["standings"]["rows"][0]["elo"]
                .as_f64()
                .expect("an Elo");
            file.replace(at, &format!(r#""elo":{elo:?}"#), r#""elo":999.0"#);
        },
        "the Elo of",
    ),
    (
        "two rows of the standings exchanged",
        false,
        |file| {
            let at = file.0.len() - 1;
            let mut report: Standings = serde_json::from_str(file.line(at)).expect("JSON");
            report.standings.rows.swap(0, 1);
            *file.line(at) = serde_json::to_string(&report).expect("JSON");
        },
        "row 1 of the standings is wrong",
    ),
    (
        "a line after the end",
        false,
        |file| file.0.push(json!("{}")),
        "goes on after its last line",
    ),
    (
        "the end cut off",
        false,
        |file| {
            file.0.pop();
        },
        "the file ends where the standings should stand",
    ),
    (
        "a space",
        false,
        |file| file.replace(2, r#"{"seq":2"#, r#"{"seq": 2"#),
        "canonical",
    ),
    (
        "a field more",
        false,
        |file| {
            let line = file.line(2);
            *line = line.replacen(r#""at_ms""#, r#""note":1,"at_ms""#, 1);
        },
        "canonical",
    ),
    (
        "a date",
        true,
        |file| {
            let at = file.find(r#""type":"entries_closed""#);
            let line: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let date = format!(r#""at_ms":{}"#, line["body"]["at_ms"]);
            file.replace(at, &date, r#""at_ms":1"#);
        },
        "dated before",
    ),
];

#[test]
fn each_tampering_is_found_and_named() {
    let bytes = Played::new(Format::RoundRobin {}, 5, 2).export();
    assert!(verify(&bytes).is_ok());
    assert!(TAMPERINGS.len() >= 20);
    for (what, forged, tamper, expected) in TAMPERINGS {
        let mut file = File::of(&bytes);
        tamper(&mut file);
        if *forged {
            file.forge();
        }
        match verify(&file.bytes()) {
            Ok(_) => panic!("{what}: not found"),
            Err(fault) => {
                assert!(
                    fault.why.contains(expected),
                    "{what}: line {}: {}",
                    fault.line,
                    fault.why
                );
            }
        }
    }
}

#[test]
fn a_file_cut_off_anywhere_or_changed_in_any_byte_is_refused() {
    let bytes = Played::new(Format::Swiss { rounds: 2 }, 4, 2).export();
    for length in (0..bytes.len()).step_by(97) {
        assert!(verify(&bytes[..length]).is_err(), "{length} bytes");
    }
    for at in (0..bytes.len()).step_by(61) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        assert!(verify(&changed).is_err(), "byte {at}");
    }
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
