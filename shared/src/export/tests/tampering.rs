//! Exports that somebody changed: each change is found, and named.

use serde_json::{Value, json};

use super::*;
use crate::ids::MatchId;
use crate::tournament::Seed;

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
            let other = Seed::new([6; 32]).commitment().to_string();
            file.replace(1, &seed().commitment().to_string(), &other);
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
        "the clocks should be",
    ),
    (
        "the clock of the tournament",
        true,
        |file| file.replace(1, r#""base_ms":60000"#, r#""base_ms":60001"#),
        "the clock is not that of the tournament",
    ),
    (
        "a result dated before the last move",
        true,
        |file| {
            let at = file.find(r#""type":"game_ended""#);
            let line: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let date = line["body"]["at_ms"].as_u64().expect("a date");
            let from = format!(r#""at_ms":{date}"#);
            // The event follows 10 ms after the game.
            file.replace(at, &from, &format!(r#""at_ms":{}"#, date - 11));
        },
        "was not played between the pairing and the result",
    ),
    (
        "the head of a record in the log",
        true,
        |file| {
            let at = file.find(r#""type":"game_ended""#);
            let line: Value = serde_json::from_str(file.line(at)).expect("JSON");
            let head = line["body"]["head"].as_str().expect("a head").to_owned();
            file.replace(at, &head, &"0".repeat(64));
        },
        "the record was changed: the head of its events is",
    ),
    (
        "the seed not opened",
        true,
        |file| {
            let at = file.find("seed_opened");
            file.0.remove(at);
            let header: Value = serde_json::from_str(file.line(0)).expect("a header");
            let events = header["events"].as_u64().expect("a count");
            let from = format!(r#""events":{events}"#);
            file.replace(0, &from, &format!(r#""events":{}"#, events - 1));
        },
        "its seed is not opened",
    ),
    (
        "the start of a record",
        false,
        |file| {
            let at = file.find(r#"{"schema":"grundy/record"#) + 1;
            file.replace(at, r#""position":"nim:"#, r#""position":"nim:1,"#);
        },
        "of board",
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
        "of board",
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
    (
        "the head in the header",
        false,
        |file| {
            let header: Value = serde_json::from_str(file.line(0)).expect("a header");
            let head = header["head"].as_str().expect("a head").to_owned();
            file.replace(0, &head, &"0".repeat(64));
        },
        "the log was changed: the head of its events is",
    ),
    (
        "who entered",
        true,
        |file| {
            let at = file.find(r#""type":"entered""#);
            file.replace(at, r#""name":"p1""#, r#""name":"p9""#);
        },
        "player is not p9",
    ),
    (
        "the entries closed twice",
        true,
        |file| {
            let at = file.find(r#""type":"entries_closed""#);
            let line = file
                .line(at)
                .replace(&format!(r#""seq":{at}"#), &format!(r#""seq":{}"#, at + 1));
            *file.line(at + 1) = line;
        },
        "the entries are closed",
    ),
    (
        "won positions that were kept",
        false,
        |file| {
            let at = file.0.len() - 1;
            let mut last: Standings = serde_json::from_str(file.line(at)).expect("JSON");
            last.accuracy.as_mut().expect("it is there")[2].kept += 1;
            *file.line(at) = serde_json::to_string(&last).expect("JSON");
        },
        "the accuracy of p3 is wrong",
    ),
    (
        "a share of won positions",
        false,
        |file| {
            let at = file.0.len() - 1;
            let mut last: Standings = serde_json::from_str(file.line(at)).expect("JSON");
            last.accuracy.as_mut().expect("it is there")[0].accuracy = Some(0.999);
            *file.line(at) = serde_json::to_string(&last).expect("JSON");
        },
        "the accuracy of p1 is wrong",
    ),
    (
        "a player without accuracy",
        false,
        |file| {
            let at = file.0.len() - 1;
            let mut last: Standings = serde_json::from_str(file.line(at)).expect("JSON");
            last.accuracy.as_mut().expect("it is there").pop();
            *file.line(at) = serde_json::to_string(&last).expect("JSON");
        },
        "the accuracy is that of 4 players, and the tournament has 5",
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
                println!("{what}: line {}: {}", fault.line, fault.why);
                assert!(
                    !expected.is_empty() && fault.why.contains(expected),
                    "{what}: line {}: {}",
                    fault.line,
                    fault.why
                );
            }
        }
    }
}

#[test]
fn the_kinds_of_tampering_have_names_of_their_own() {
    let names: std::collections::BTreeSet<_> = TAMPERINGS.iter().map(|row| row.0).collect();
    assert_eq!(names.len(), TAMPERINGS.len());
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
