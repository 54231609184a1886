//! Another program at the files of a running server: it stops before it acknowledges what a restart would not find, and says which file.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy_server::data::location;
use grundy_server::store::open::open;
use grundy_shared::event::Event;
use grundy_shared::ids::{MatchId, Seq};
use grundy_shared::protocol::{ErrorCode, Reply};
use rustix::process::Signal;
use sqlx::Connection;
use tempfile::TempDir;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::UNTIMED;
use crate::intruder;
use crate::player::{Player, a_match_of};
use crate::process::{Launch, PATIENCE};

/// Matches that are played at once.
const MATCHES: usize = 4;
/// Long enough for every match of these tests.
const POSITION: &str = "nim:5000,5000";
/// Acknowledgements before the fault.
const BEFORE: usize = 60;
/// After a fault nothing is acknowledged later than this, on a machine that does much else besides. The server looks four times a second.
const AT_ONCE: Duration = Duration::from_secs(10);

/// A move that was acknowledged.
struct Acknowledged {
    of: MatchId,
    ply: u32,
    sent: Instant,
    heard: Instant,
}

/// A server that was disturbed while matches were played.
struct Disturbed {
    _directory: TempDir,
    launch: Launch,
    acknowledged: Vec<Acknowledged>,
}

/// Both players of a match move until the server goes.
async fn play(
    of: MatchId,
    mut players: [Player; 2],
    count: watch::Sender<usize>,
) -> Vec<Acknowledged> {
    let mut acknowledged = Vec::new();
    for ply in 1.. {
        let mover = &mut players[(ply as usize + 1) % 2];
        let heap = ["A-1", "B-1"][ply as usize % 2];
        let sent = Instant::now();
        match mover.try_ask(Player::mv(of, ply, heap)).await {
            Some(Reply::Accepted { .. }) => acknowledged.push(Acknowledged {
                of,
                ply,
                sent,
                heard: Instant::now(),
            }),
            // Whether the commit that was under way is stored, only the restart shows.
            Some(Reply::Error(refusal)) if refusal.code == ErrorCode::Internal => break,
            Some(other) => panic!("not accepted: {other:?}"),
            None => break,
        }
        count.send_modify(|count| *count += 1);
    }
    acknowledged
}

/// Whether `/readyz` answers 200.
fn is_ready(address: &str) -> bool {
    let ask = || {
        let mut stream = TcpStream::connect(address).ok()?;
        let request = "GET /readyz HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        Some(answer.starts_with("HTTP/1.1 200"))
    };
    ask().unwrap_or(false)
}

impl Disturbed {
    /// Plays, disturbs the files in the midst of it by `fault`, which is given the data directory and a copy of the database from before
    /// the moves, and checks: what was sent after the fault is not acknowledged, the server stops at once, is not ready from then
    /// on, ends with 1, and its last line has these words.
    async fn by(fault: impl AsyncFnOnce(&Path, &Path), words: [&str; 2]) -> Self {
        let directory = TempDir::new().expect("a directory");
        let launch = Launch::on(&directory.path().join("data"));
        let mut server = launch.serve().await;
        let copy = directory.path().join("copy.db");
        fs::copy(location(&launch.data), &copy).expect("it can be read");
        let count = watch::Sender::new(0);
        let mut matches = JoinSet::new();
        for _ in 0..MATCHES {
            let (id, players) = a_match_of(POSITION, &server, directory.path(), UNTIMED).await;
            matches.spawn(play(id, players, count.clone()));
        }
        let mut counted = count.subscribe();
        counted
            .wait_for(|count| *count >= BEFORE)
            .await
            .expect("they play");
        fault(&launch.data, &copy).await;
        let done = Instant::now();
        let address = server.address().to_owned();
        let readiness = tokio::task::spawn_blocking(move || {
            let mut last = done;
            while is_ready(&address) {
                last = Instant::now();
            }
            last
        });
        let status = server.ended().await;
        let acknowledged: Vec<_> = matches.join_all().await.into_iter().flatten().collect();
        let said = launch.logged();
        assert_eq!(status.code(), Some(1), "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(
            last.starts_with("grundy-server: ") && words.iter().all(|word| last.contains(word)),
            "{words:?}: {said}"
        );
        assert!(acknowledged.len() >= BEFORE);
        for one in &acknowledged {
            assert!(one.sent < done, "move {} was sent after the fault", one.ply);
            assert!(one.heard < done + AT_ONCE, "move {} is late", one.ply);
        }
        let ready = readiness.await.expect("it looks");
        assert!(ready < done + AT_ONCE, "ready after {:?}", ready - done);
        Self {
            _directory: directory,
            launch,
            acknowledged,
        }
    }

    /// The next start is refused, and says why and what to do.
    async fn is_refused(&self, words: [&str; 2]) {
        let status = self.launch.start().await.map(|_| ());
        let said = self.launch.logged();
        let status = status.expect_err("it serves");
        assert_eq!(status.code(), Some(3), "{said}");
        let last = said.lines().last().unwrap_or_default();
        assert!(
            words.iter().all(|word| last.contains(word)),
            "{words:?}: {said}"
        );
    }

    /// The next start serves, and everything that was acknowledged is there.
    async fn keeps_all(&self) {
        let mut server = self.launch.serve().await;
        server.signal(Signal::TERM);
        assert!(server.ended().await.success(), "{}", self.launch.logged());
        let store = open(&location(&self.launch.data))
            .await
            .expect("a database");
        for one in &self.acknowledged {
            let mut after = Seq(0);
            let mut found = false;
            while !found {
                let page = store.load(one.of.into(), after, 1_000).await;
                let page = page.expect("readable").expect("it is there");
                after = page.last().map(|last| last.seq).unwrap_or_else(|| {
                    panic!("move {} was acknowledged and is not there", one.ply)
                });
                found = page.iter().any(|logged| {
                    let event = serde_json::from_slice(&logged.body).expect("an event");
                    matches!(event, Event::Moved { ply, .. } if ply.0 == one.ply)
                });
            }
        }
        store.close().await;
    }
}

fn log(data: &Path) -> PathBuf {
    data.join("grundy.db-wal")
}

fn memory(data: &Path) -> PathBuf {
    data.join("grundy.db-shm")
}

fn cut(path: &Path, to: impl FnOnce(u64) -> u64) {
    let file = fs::OpenOptions::new().write(true).open(path);
    let file = file.expect("it is there");
    let bytes = file.metadata().expect("it is there").len();
    file.set_len(to(bytes)).expect("it can be cut");
}

#[tokio::test]
async fn a_file_that_was_renamed_stops_the_server_and_is_used_again_when_it_is_back() {
    for (name, refusal) in [
        ("grundy.db", ["grundy.db is missing", "--new"]),
        ("grundy.db-wal", ["are not back in place", "--accept-loss"]),
    ] {
        let rename = async |data: &Path, _: &Path| {
            fs::rename(data.join(name), data.with_extension("moved")).expect("it can be renamed");
        };
        let file = format!("{name} was removed or renamed");
        let disturbed = Disturbed::by(rename, [&file, "Put the file back"]).await;
        disturbed.is_refused(refusal).await;
        let data = &disturbed.launch.data;
        fs::rename(data.with_extension("moved"), data.join(name)).expect("it can be put back");
        disturbed.keeps_all().await;
    }
}

#[tokio::test]
async fn a_directory_that_was_renamed_stops_the_server() {
    let away = async |data: &Path, _: &Path| {
        fs::rename(data, data.with_extension("moved")).expect("it can be renamed");
    };
    let words = ["grundy.db was removed or renamed", "Put the file back"];
    let disturbed = Disturbed::by(away, words).await;
    let data = &disturbed.launch.data;
    fs::rename(data.with_extension("moved"), data).expect("it can be put back");
    disturbed.keeps_all().await;
}

#[tokio::test]
async fn a_file_that_was_deleted_stops_the_server_and_its_loss_must_be_accepted() {
    for (name, refusal, flag) in [
        ("grundy.db", ["grundy.db is missing", "--new"], "--new"),
        (
            "grundy.db-wal",
            ["are not back in place", "--accept-loss"],
            "--accept-loss",
        ),
    ] {
        let delete = async |data: &Path, _: &Path| {
            fs::remove_file(data.join(name)).expect("it can be deleted");
        };
        let file = format!("{name} was removed or renamed");
        let mut disturbed = Disturbed::by(delete, [&file, "restore a backup"]).await;
        disturbed.is_refused(refusal).await;
        disturbed.launch.flags.push(flag.to_owned());
        disturbed.launch.serve().await;
    }
}

#[tokio::test]
async fn shared_memory_that_was_deleted_stops_the_server_and_nothing_is_missing() {
    let delete = async |data: &Path, _: &Path| {
        fs::remove_file(memory(data)).expect("it can be deleted");
    };
    let words = ["grundy.db-shm was removed or renamed", "start the server"];
    let disturbed = Disturbed::by(delete, words).await;
    disturbed.keeps_all().await;
}

/// Which file is cut, to which part of its length, and what the next start says then.
type Cut = (fn(&Path) -> PathBuf, fn(u64) -> u64, [&'static str; 2]);

#[tokio::test]
async fn a_file_that_was_truncated_stops_the_server_and_the_next_start_is_refused() {
    let changed = ["are not back in place", "--accept-loss"];
    let half = |bytes| bytes / 2;
    let faults: [Cut; 4] = [
        (
            |data| location(data),
            |_| 0,
            ["grundy.db is empty", "--new"],
        ),
        (|data| location(data), half, changed),
        (log, |_| 0, changed),
        (log, half, changed),
    ];
    for (file, to, refusal) in faults {
        let shorten = async |data: &Path, _: &Path| cut(&file(data), to);
        // A commit that was under way may have written behind the cut.
        let disturbed = Disturbed::by(shorten, ["grundy.db", " was "]).await;
        let said = disturbed.launch.logged();
        assert!(
            [
                "was truncated while",
                "was changed by another program while"
            ]
            .iter()
            .any(|words| said.contains(words)),
            "{said}"
        );
        disturbed.is_refused(refusal).await;
    }
}

#[tokio::test]
async fn an_older_copy_in_place_of_the_database_stops_the_server_and_the_next_start_is_refused() {
    let over = async |data: &Path, copy: &Path| {
        fs::copy(copy, location(data)).expect("it can be copied over");
    };
    let instead = async |data: &Path, copy: &Path| {
        fs::rename(copy, location(data)).expect("it can be renamed");
    };
    let changed = ["are not back in place", "--accept-loss"];
    let disturbed = Disturbed::by(over, ["grundy.db was ", "restore a backup"]).await;
    disturbed.is_refused(changed).await;
    let words = ["grundy.db was replaced by another file", "restore a backup"];
    let disturbed = Disturbed::by(instead, words).await;
    disturbed.is_refused(changed).await;
}

#[tokio::test]
async fn another_program_that_writes_to_the_database_stops_the_server() {
    let write = async |data: &Path, _: &Path| {
        let mut other = intruder::connect(&location(data)).await;
        sqlx::query("UPDATE node SET enlisted_at = enlisted_at + 1")
            .execute(&mut other)
            .await
            .expect("it waits for its turn");
        other.close().await.expect("it closes");
    };
    let words = ["grundy.db-wal was changed by another program", "restore"];
    let mut disturbed = Disturbed::by(write, words).await;
    disturbed
        .is_refused(["were changed while a server ran", "fsck"])
        .await;
    disturbed.launch.flags.push("--accept-loss".to_owned());
    disturbed.keeps_all().await;
}

#[tokio::test]
async fn a_second_server_is_kept_out_although_the_lock_file_was_deleted() {
    let directory = TempDir::new().expect("a directory");
    let launch = Launch::on(&directory.path().join("data"));
    let mut server = launch.serve().await;
    let lock = launch.data.join("grundy.db.lock");
    for _ in 0..3 {
        fs::remove_file(&lock).expect("it is there");
        let status = launch.start().await.map(|_| ()).expect_err("it serves");
        assert_eq!(status.code(), Some(4), "{}", launch.logged());
        assert!(
            launch.logged().contains("is in use by"),
            "{}",
            launch.logged()
        );
        // The server makes it anew, and names itself there.
        let deadline = Instant::now() + PATIENCE;
        let pid = server.id().as_raw_nonzero().to_string();
        while !fs::read_to_string(&lock).is_ok_and(|text| text.starts_with(&pid)) {
            assert!(Instant::now() < deadline, "{}", launch.logged());
            tokio::task::yield_now().await;
        }
        let status = launch.start().await.map(|_| ()).expect_err("it serves");
        assert_eq!(status.code(), Some(4), "{}", launch.logged());
        assert!(launch.logged().contains(&pid), "{}", launch.logged());
    }
    let (_, [mut player, _]) = a_match_of(POSITION, &server, directory.path(), UNTIMED).await;
    drop(player.event().await);
    server.signal(Signal::TERM);
    assert!(server.ended().await.success(), "{}", launch.logged());
}
