//! Logs of every kind leave a real database as NDJSON with their hash chain, and a damaged one does not.

use crate::{blobs, played};

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::played::Played;
use bytes::Bytes;
use grundy_server::export::{ExportError, Kind, export};
use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Lease, Store, StoreError, StreamId};
use grundy_shared::chain;
use grundy_shared::event::{PlayerInfo, TimeControl};
use grundy_shared::ids::{MatchId, Millis, PlayerId, Seq, TournamentId};
use grundy_shared::record::Record;
use grundy_shared::tournament::{
    Admission, Dated, Edition, Format, Rules, Seed, Starts, TournamentEvent, Who,
};
use serde_json::{Value, json};
use tempfile::TempDir;

fn tournament() -> TournamentId {
    TournamentId::from_random(7)
}

fn account() -> PlayerId {
    PlayerId::from_random(1)
}

/// Everything that quoting could harm.
const HARMFUL: &str = "\"\\ \u{1f600} 棋\n";

/// Events that are as long as one likes: notes, and for a tournament, whose log has to follow its rules, players who enter.
fn bodies(stream: StreamId, numbers: std::ops::Range<u64>) -> Vec<Bytes> {
    let body = |number| match stream {
        StreamId::Tournament(_) => json!(Dated {
            at_ms: Millis(number),
            event: tournament_event(number),
        }),
        _ => json!({"type":"noted","number":number,"text":HARMFUL}),
    };
    numbers
        .map(|number| Bytes::from(body(number).to_string()))
        .collect()
}

fn tournament_event(number: u64) -> TournamentEvent {
    let player = |number: u64| PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("{}{number}", HARMFUL.trim_end()),
        bot: true,
    };
    if number > 0 {
        return TournamentEvent::Entered {
            player: player(number),
        };
    }
    TournamentEvent::Created {
        // A name has no control characters.
        name: HARMFUL.trim_end().to_owned(),
        organiser: player(0),
        format: Format::RoundRobin {},
        rules: Rules {
            games: 2,
            clock: TimeControl::Fischer {
                base_ms: Millis(60_000),
                increment_ms: Millis(0),
            },
            starts: Starts::List {
                positions: vec!["nim:3,5,7".to_owned()],
            },
            start_ms: Millis(10_000),
            away_ms: Millis(10_000),
        },
        admission: Admission {
            who: Who::Both,
            most: 200,
            names: Vec::new(),
        },
        starts_at_ms: None,
        commitment: Seed::new([3; 32]).commitment(),
        tie_breaks: Edition::default(),
    }
}

/// Appends more events than a segment takes, in several commits.
async fn store_log(store: &dyn Store, lease: Lease, stream: StreamId) {
    for number in 0..40 {
        let append = Commit::append(
            stream,
            Seq(number * 5),
            bodies(stream, number * 5..number * 5 + 5),
        );
        played::commit(store, lease, append).await.expect("stored");
    }
}

/// A finished match, one that goes on, a tournament and an account.
async fn database() -> (TempDir, PathBuf, Played) {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("grundy.db");
    let store = SqliteStore::open(&path).await.expect("a database");
    let lease = played::lease(&store).await;
    played::players(&store, lease).await;
    let finished = played::match_of(1, "nim:2,3");
    for step in 0..finished.steps.len() {
        finished.store(&store, lease, step).await.expect("stored");
    }
    let going_on = played::match_of(2, "nim:4,4");
    for step in 0..3 {
        going_on.store(&store, lease, step).await.expect("stored");
    }
    store_log(&store, lease, StreamId::Tournament(tournament())).await;
    store_log(&store, lease, StreamId::Account(account())).await;
    store.close().await;
    (directory, path, finished)
}

async fn exported(path: &Path, kind: Kind, ids: &[String]) -> Result<String, ExportError> {
    let mut out = Vec::new();
    export(path, kind, ids, &mut out).await?;
    Ok(String::from_utf8(out).expect("JSON is text"))
}

/// Checks a log by its lines alone, as anybody can who has the file.
pub(crate) fn check_chain(text: &str, stream: StreamId) {
    let mut lines = text.lines();
    let header: Value = serde_json::from_str(lines.next().expect("a header")).expect("JSON");
    let mut head = stream.genesis();
    let mut seq = 0;
    for line in lines {
        seq += 1;
        let body = line
            .strip_prefix(&format!("{{\"seq\":{seq},\"body\":"))
            .and_then(|rest| rest.strip_suffix('}'))
            .unwrap_or_else(|| panic!("not event {seq}: {line}"));
        head = chain::link(&head, body.as_bytes());
    }
    let head: String = head.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(
        (&header["events"], &header["head"]),
        (&json!(seq), &json!(head)),
        "{header}"
    );
}

#[tokio::test]
async fn every_kind_of_log_is_checked_and_exported_with_its_chain() {
    let (_directory, path, _) = database().await;
    let report = fsck(&path).await.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
    assert_eq!((report.matches, report.streams), (2, 2));
    for (kind, stream, id) in [
        (
            Kind::Match,
            StreamId::Match(MatchId::from_random(2)),
            MatchId::from_random(2).to_string(),
        ),
        (
            Kind::Tournament,
            StreamId::Tournament(tournament()),
            tournament().to_string(),
        ),
        (
            Kind::Account,
            StreamId::Account(account()),
            account().to_string(),
        ),
    ] {
        let text = exported(&path, kind, std::slice::from_ref(&id))
            .await
            .expect("exported");
        let header: Value =
            serde_json::from_str(text.lines().next().expect("a header")).expect("JSON");
        assert_eq!(header[kind.word()], id, "{header}");
        check_chain(&text, stream);
        if kind != Kind::Match {
            assert_eq!(text.lines().count(), 201);
            let first = format!(
                "{{\"seq\":1,\"body\":{}}}",
                String::from_utf8_lossy(&bodies(stream, 0..1)[0])
            );
            assert_eq!(text.lines().nth(1), Some(first.as_str()), "byte for byte");
        }
        assert_eq!(exported(&path, kind, &[id]).await.expect("exported"), text);
    }
}

#[tokio::test]
async fn a_match_is_exported_as_its_record() {
    let (_directory, path, finished) = database().await;
    let text = exported(&path, Kind::Match, &[finished.id.to_string()]).await;
    let text = text.expect("exported");
    let record = Record::read(text.as_bytes()).expect("a record");
    assert_eq!(record.to_bytes(), text.as_bytes());
    let both = [finished.id.to_string(), MatchId::from_random(2).to_string()];
    let both = exported(&path, Kind::Match, &both).await.expect("exported");
    assert!(both.starts_with(&text) && both.len() > text.len());
}

#[tokio::test]
async fn a_changed_event_is_found_and_its_log_is_not_exported() {
    let (_directory, path, finished) = database().await;
    // In the order of their beginnings: two matches, the tournament, the account.
    for (number, kind, id) in [
        (1, Kind::Match, finished.id.to_string()),
        (3, Kind::Tournament, tournament().to_string()),
        (4, Kind::Account, account().to_string()),
    ] {
        blobs::change_event(&path, number, 3, |event| event.body[2] ^= 1).await;
        let damaged = exported(&path, kind, &[id]).await;
        assert!(
            matches!(damaged, Err(ExportError::Store(StoreError::Corrupt { .. }))),
            "{kind:?}: {damaged:?}"
        );
    }
    let report = fsck(&path).await.expect("it can be checked");
    let broken = |finding: &&grundy_server::fsck::Finding| finding.seq == Some(Seq(3));
    let places: Vec<String> = report
        .findings
        .iter()
        .filter(broken)
        .map(|finding| {
            finding
                .log
                .clone()
                .unwrap_or_else(|| format!("match {}", finding.id.expect("one of both")))
        })
        .collect();
    assert_eq!(
        places,
        [
            format!("match {}", finished.id),
            format!("tournament {}", tournament()),
            format!("account {}", account())
        ],
        "{report}"
    );
}

#[tokio::test]
async fn the_cut_tail_of_a_finished_match_is_not_exported() {
    let (_directory, path, finished) = database().await;
    let last = finished
        .steps
        .iter()
        .map(|step| step.events.len())
        .sum::<usize>() as u64;
    blobs::remove(&path, |stream, seq| (stream, seq) == (1, last)).await;
    let cut = exported(&path, Kind::Match, &[finished.id.to_string()]).await;
    assert!(
        matches!(cut, Err(ExportError::Store(StoreError::Corrupt { .. }))),
        "{cut:?}"
    );
}

fn program(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GRUNDYD_") {
            command.env_remove(name);
        }
    }
    let output = command
        .args(arguments)
        .arg("--data")
        .arg(directory)
        .output();
    output.expect("the program runs")
}

#[tokio::test]
async fn the_operator_exports_by_command() {
    let (directory, path, _) = database().await;
    let id = tournament().to_string();
    let expected = exported(&path, Kind::Tournament, std::slice::from_ref(&id))
        .await
        .expect("exported");
    let output = program(directory.path(), &["export", "--kind", "tournament", &id]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    for (arguments, code, words) in [
        (
            ["export", "--kind", "tournament", "x"],
            2,
            "not a tournament id",
        ),
        (
            [
                "export",
                "--kind",
                "account",
                "67e55044-10b1-426f-9247-bb680e5fe0c8",
            ],
            2,
            "no log of account",
        ),
        (["export", "--kind", "game", &id], 2, "tournament"),
    ] {
        let output = program(directory.path(), &arguments);
        assert_eq!(output.status.code(), Some(code), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(words), "{said}");
    }
    // The database of a running server is left alone.
    let _store = SqliteStore::open(&path).await.expect("a database");
    let output = program(directory.path(), &["export", "--kind", "tournament", &id]);
    assert_eq!(output.status.code(), Some(4), "{output:?}");
}
