//! Eight hours in which players come and go, on a clock that is set by hand: memory, descriptors, open matches and the disk stay bounded.

use std::net::Ipv4Addr;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use grundy_server::clock::ManualClock;
use grundy_server::data;
use grundy_server::fsck::fsck;
use grundy_server::sweep::sweep;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};

use crate::common::{Client, Plan, Server, in_time, until};

const HOURS: u64 = 8;
/// Between two crowds, in milliseconds of the clock that is set by hand.
const STEP_MS: u64 = 150_000;
const CROWDS: u64 = HOURS * 3_600_000 / STEP_MS;
const CROWDS_OF_AN_HOUR: usize = 24;
/// Crowds whose invitations or guests may be there still: invitations last an hour, and what is void is kept for half of one.
const CROWDS_NOT_YET_REMOVED: u64 = 60;
/// What a match of one move between two people takes on the disk, with its chat and its indexes, at most. It stays.
const BYTES_OF_A_MATCH: u64 = 6 * 1024;
/// Set where the test runs in a process of its own: it counts what the process holds.
const ALONE: &str = "GRUNDY_SOAK_ALONE";

/// What the process and its database take, between two crowds.
#[derive(Clone, Copy, Debug)]
struct Taken {
    descriptors: usize,
    resident_kib: u64,
    open_matches: u64,
    disk_bytes: u64,
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

fn resident_kib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.split_whitespace().next());
    kib.expect("VmRSS").parse().expect("a number")
}

/// Of the database; the write-ahead log has a bound of its own.
fn disk_bytes(directory: &Path) -> u64 {
    let database = std::fs::metadata(data::location(directory));
    database.expect("a database").len()
}

fn metric(server: &Server, name: &str) -> u64 {
    let text = server.app.metrics.render(&server.store.gauges());
    let value = text.lines().find_map(|line| line.strip_prefix(name));
    value.map_or(0, |value| value.trim().parse().expect("a number"))
}

async fn expect(client: &mut Client, kind: &str, body: Value) -> Value {
    let reply = client.ask(body.clone()).await;
    assert_eq!(reply["type"], kind, "{body}: {reply}");
    reply
}

/// Players of one moment: most come to nothing, one match is played to its end and reviewed.
async fn crowd(server: &Server, from: Ipv4Addr, known: &mut Client) {
    let mut idle = server.guest_from(from, "idle").await;
    expect(&mut idle, "pong", json!({"type":"ping"})).await;
    expect(&mut idle, "done", json!({"type":"bye"})).await;

    let mut inviting = server.guest_from(from, "inviting").await;
    let invite = json!({"type":"create","position":"nim:3,4,5","opponent":{"type":"invite"}});
    expect(&mut inviting, "created", invite).await;
    let seek = json!({"type":"seek","position":"nim:9,9","clock":{"type":"untimed"},"side":"random","bots":"no"});
    expect(&mut inviting, "seeking", seek).await;
    let solve = json!({"type":"solve","position":"nim:1,4,6,7"});
    expect(&mut inviting, "solved", solve).await;
    // It is cut, without a word.
    drop(inviting);

    let mut other = server.guest_from(from, "other").await;
    let invite =
        json!({"type":"create","position":"nim:1","side":"first","opponent":{"type":"invite"}});
    let created = expect(&mut other, "created", invite).await;
    let join = json!({"type":"join","code":created["code"]});
    expect(known, "joined", join).await;
    let id = created["match"].as_str().expect("an id").to_owned();
    let say = json!({"type":"say","match":id,"room":"players","text":"good luck"});
    expect(&mut other, "said", say).await;
    let accepted = other.play(&id, 1, "A-1").await;
    assert_eq!(accepted["type"], "accepted", "{accepted}");
    assert_eq!(known.event_of("ended").await["outcome"], "first");
    let review = json!({"type":"review","match":id});
    expect(known, "reviewed", review).await;
    expect(known, "done", json!({"type":"leave","match":id})).await;
    expect(&mut other, "done", json!({"type":"bye"})).await;
}

/// The clock moves forward, and every timer of the server with it.
async fn later(clock: &ManualClock) {
    clock.advance(Millis(STEP_MS));
    tokio::time::pause();
    tokio::time::advance(Duration::from_millis(STEP_MS)).await;
    tokio::time::resume();
}

/// Removes what came to nothing, until so many matches and twice as many guests are removed since the start.
async fn swept(server: &Server, crowds: u64) {
    let removed = |kind| metric(server, &format!("grundy_removed_total{{kind=\"{kind}\"}} "));
    let all = async {
        while removed("match") < crowds || removed("guest") < 2 * crowds {
            sweep(&server.app).await.expect("it can be removed");
            // What is due may be on its way to the store.
            tokio::task::yield_now().await;
        }
    };
    in_time("the removal", all).await;
}

async fn eight_hours(directory: &Path) -> Vec<Taken> {
    let clock = Arc::new(ManualClock::at(Millis(1_800_000_000_000)));
    let mut plan = Plan::on_disk(directory).await;
    plan.clock = clock.clone();
    plan.config.storage.keep_void_matches_ms = Millis(1_800_000);
    plan.config.storage.keep_unused_guests_ms = Millis(1_800_000);
    let server = plan.start().await;
    let player = server.guest("known").await;
    let connected = descriptors();
    let mut seen = Vec::new();
    for number in 0..CROWDS {
        let [.., third, fourth] = number.to_be_bytes();
        let (mut known, _) = server.again(&player).await;
        crowd(&server, Ipv4Addr::new(127, 1, third, fourth), &mut known).await;
        drop(known);
        let hung_up = async {
            while descriptors() > connected {
                tokio::task::yield_now().await;
            }
        };
        in_time("the ends of the connections", hung_up).await;
        later(&clock).await;
        let ended = || metric(&server, "grundy_games_active ") <= CROWDS_OF_AN_HOUR as u64 + 1;
        until("invitations of an hour ago end", ended).await;
        swept(&server, number.saturating_sub(CROWDS_NOT_YET_REMOVED)).await;
        seen.push(Taken {
            descriptors: descriptors(),
            resident_kib: resident_kib(),
            open_matches: metric(&server, "grundy_games_active "),
            disk_bytes: disk_bytes(directory),
        });
    }
    drop(player);
    server.stop().await;
    seen
}

#[tokio::test]
async fn eight_hours_of_guests_who_come_and_go_take_no_more_than_two() {
    if std::env::var_os(ALONE).is_none() {
        let name = "soak::eight_hours_of_guests_who_come_and_go_take_no_more_than_two";
        let alone = Command::new(std::env::current_exe().expect("this program"))
            .args(["--exact", name, "--nocapture"])
            .env(ALONE, "1")
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&alone.stderr);
        let counted = String::from_utf8_lossy(&alone.stdout);
        assert!(alone.status.success(), "{said}");
        assert!(counted.contains("1 passed"), "{counted}");
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let seen = eight_hours(directory.path()).await;
    let hours: Vec<&[Taken]> = seen.chunks(CROWDS_OF_AN_HOUR).collect();
    for hour in &hours {
        eprintln!("{:?}", hour[0]);
    }
    let (second, last) = (hours[1], hours[hours.len() - 1]);
    let most = |hour: &[Taken], of: fn(&Taken) -> u64| hour.iter().map(of).max().unwrap_or(0);
    let grown = |of| (most(second, of), most(last, of));

    let (before, after) = grown(|taken| taken.descriptors as u64);
    assert!(after <= before, "descriptors: {before}, then {after}");
    let (before, after) = grown(|taken| taken.open_matches);
    assert!(after <= before + 1, "open matches: {before}, then {after}");
    let (before, after) = grown(|taken| taken.resident_kib);
    assert!(
        after <= before + before / 10,
        "memory: {before} KiB, then {after}"
    );
    let (before, after) = grown(|taken| taken.disk_bytes);
    let kept = (seen.len() - 2 * CROWDS_OF_AN_HOUR) as u64;
    assert!(
        after <= before + kept * BYTES_OF_A_MATCH,
        "the database: {before} bytes, then {after}, for {kept} matches more"
    );

    let report = fsck(&data::location(directory.path())).await;
    let report = report.expect("it can be checked");
    assert!(report.is_sound(), "{report}");
}
