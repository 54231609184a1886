//! Backups as an operator makes them: by command, while the store is in use.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use grundy_server::archive::manifest::Manifest;
use grundy_server::data::location;
use grundy_server::fsck::fsck;
use grundy_server::store::sqlite::SqliteStore;
use grundy_server::store::{Commit, Lease, Projection, Store};
use serde_json::Value;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection};
use tempfile::TempDir;

use crate::played::{self, Played};

/// The program with these arguments, away from this machine's own settings and data.
fn program(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_grundy-server"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("GRUNDYD_") {
            command.env_remove(name);
        }
    }
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    program(arguments).output().expect("the program runs")
}

fn stdout(output: &Output) -> String {
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(output: &Output) -> Value {
    serde_json::from_str(&stdout(output)).expect("one JSON object")
}

/// The words of a refusal with this exit code.
fn refusal(output: &Output, code: i32) -> String {
    assert_eq!(output.status.code(), Some(code), "{output:?}");
    assert!(output.stdout.is_empty(), "{output:?}");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("UTF-8")
}

/// The names in a directory.
fn names(directory: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let name = |entry: std::io::Result<fs::DirEntry>| entry.expect("an entry").file_name();
    entries
        .map(|entry| name(entry).into_string().expect("UTF-8"))
        .collect()
}

/// A data directory beside a directory of backups, with a store that is open on it.
struct Desk {
    above: TempDir,
    store: SqliteStore,
    lease: Lease,
}

impl Desk {
    async fn new() -> Self {
        let above = TempDir::new().expect("a directory");
        fs::create_dir(above.path().join("data")).expect("a directory");
        let database = location(&above.path().join("data"));
        let store = SqliteStore::open(&database).await.expect("a store");
        let lease = played::lease(&store).await;
        played::players(&store, lease).await;
        Self {
            above,
            store,
            lease,
        }
    }

    fn data(&self) -> PathBuf {
        self.above.path().join("data")
    }

    fn shelf(&self) -> PathBuf {
        self.above.path().join("backups")
    }

    async fn play(&self, played: &Played, steps: std::ops::Range<usize>) {
        for step in steps {
            let stored = played.store(&self.store, self.lease, step).await;
            stored.expect("stored");
        }
    }

    fn back_up(&self, more: &[&str]) -> Output {
        let (shelf, data) = (self.shelf(), self.data());
        let words = [
            "backup",
            text(&shelf),
            "--data",
            text(&data),
            "--full-speed",
        ];
        run(&[&words, more].concat())
    }

    /// Makes a backup that must succeed.
    fn backup(&self) -> PathBuf {
        let made = json(&self.back_up(&["--json"]));
        PathBuf::from(made["directory"].as_str().expect("a directory"))
    }
}

#[tokio::test]
async fn a_store_in_use_is_backed_up_verified_and_restored() {
    let desk = Desk::new().await;
    let (whole, begun) = (
        played::match_of(1, "nim:2,3"),
        played::match_of(2, "nim:5,5"),
    );
    desk.play(&whole, 0..whole.steps.len()).await;
    desk.play(&begun, 0..4).await;
    let secret = Commit::default().with(Projection::AddressSecret([7; 32].into()));
    assert_eq!(desk.store.commit(desk.lease, vec![secret]).await, [Ok(())]);
    let before = names(&desk.data());
    let line = stdout(&desk.back_up(&[]));
    assert!(line.contains(": 2 matches, "), "{line}");
    assert_eq!(line.lines().count(), 1, "{line}");
    assert_eq!(names(&desk.data()), before, "the server's files");
    // What is stored from now on is not in it.
    desk.play(&begun, 4..begun.steps.len()).await;

    let made = names(&desk.shelf());
    let backup = desk.shelf().join(made.first().expect("one backup"));
    assert_eq!(made.len(), 1);
    let files = ["backup.json", "grundy.db"].map(str::to_owned);
    assert_eq!(names(&backup), BTreeSet::from(files));
    for secret in [&backup, &backup.join("grundy.db")] {
        let mode = fs::metadata(secret).expect("there").permissions().mode();
        assert_eq!(mode & 0o077, 0, "{secret:?}");
    }
    // The directory of backups names its newest.
    let verified = json(&run(&["verify-backup", text(&desk.shelf()), "--json"]));
    assert_eq!(verified["directory"], text(&backup));
    assert_eq!(verified["logs_checked"], true);
    assert_eq!(names(&backup).len(), 2, "verifying changes nothing");

    let target = desk.above.path().join("new").join("data");
    let restored = stdout(&run(&["restore", text(&backup), "--data", text(&target)]));
    for words in [
        "restored ",
        "Tell the players: ",
        "--cursor-file",
        "Start the server: ",
    ] {
        assert!(restored.contains(words), "{restored}");
    }
    let report = fsck(&location(&target)).await.expect("readable");
    assert!(report.is_sound(), "{report}");
    let manifest = Manifest::read(&backup).expect("a manifest");
    let logs = manifest.logs.expect("its logs were checked");
    assert_eq!(logs.head, report.head.to_string());
    assert_eq!((logs.matches, logs.events), (2, report.events));

    // Play goes on from there: the match that had begun comes to the same end as on the other server.
    let store = SqliteStore::open(&location(&target))
        .await
        .expect("a store");
    assert_eq!(store.address_secret().await, Ok(Some([7; 32].into())));
    let lease = played::lease(&store).await;
    for step in 4..begun.steps.len() {
        begun.store(&store, lease, step).await.expect("stored");
    }
    store.close().await;
    desk.store.close().await;
    let ends = [
        fsck(&location(&target)).await.expect("readable"),
        fsck(&location(&desk.data())).await.expect("readable"),
    ];
    assert!(ends[0].is_sound(), "{}", ends[0]);
    assert_eq!(ends[0].head, ends[1].head);
    assert_ne!(ends[0].head, report.head);
}

#[tokio::test]
async fn a_backup_never_goes_onto_the_data_directory() {
    let desk = Desk::new().await;
    let data = desk.data();
    let link = desk.above.path().join("link");
    symlink(&data, &link).expect("a link");
    let around = data.join("..").join("data");
    let before = names(&data);
    for shelf in [&data, &link, &around] {
        let refused = run(&["backup", text(shelf), "--data", text(&data)]);
        let words = refusal(&refused, 2);
        assert!(words.contains("is the data directory"), "{words}");
    }
    assert_eq!(names(&data), before);
    // Something that is no directory, and data that is not there.
    let file = desk.above.path().join("file");
    fs::write(&file, "").expect("a file");
    refusal(&run(&["backup", text(&file), "--data", text(&data)]), 3);
    let nothing = desk.above.path().join("nothing");
    let refused = run(&["backup", text(&desk.shelf()), "--data", text(&nothing)]);
    assert!(refusal(&refused, 2).contains("there is no database in"));
    assert!(!nothing.exists());
    refusal(&run(&["verify-backup", text(&data)]), 2);
    refusal(
        &run(&["backup", text(&desk.shelf()), "--data", ":memory:"]),
        2,
    );
}

#[tokio::test]
async fn a_damaged_database_gives_no_backup_and_removes_none() {
    let desk = Desk::new().await;
    let whole = played::match_of(1, "nim:2,3");
    desk.play(&whole, 0..whole.steps.len()).await;
    let good = desk.backup();
    desk.store.close().await;
    let database = location(&desk.above.path().join("data"));
    let mut connection = SqliteConnectOptions::new()
        .filename(&database)
        .connect()
        .await
        .expect("opened");
    sqlx::query("UPDATE match SET plies = plies + 1")
        .execute(&mut connection)
        .await
        .expect("changed");
    connection.close().await.expect("closed");
    let data = desk.above.path().join("data");
    let shelf = desk.above.path().join("backups");
    let words = ["backup", text(&shelf), "--data", text(&data), "--keep", "1"];
    let words = refusal(&run(&words), 3);
    assert!(words.contains("no backup was kept"), "{words}");
    assert_eq!(names(&shelf).len(), 1);
    assert!(good.exists());
}

#[tokio::test]
async fn whatever_happens_to_a_backup_is_found() {
    let desk = Desk::new().await;
    let whole = played::match_of(1, "nim:2,3");
    desk.play(&whole, 0..whole.steps.len()).await;
    let backup = desk.backup();
    let (copy, manifest) = (backup.join("grundy.db"), backup.join("backup.json"));
    let bytes = fs::read(&copy).expect("readable");
    let described = fs::read_to_string(&manifest).expect("readable");
    let check = |code: i32, words: &str| {
        let found = refusal(&run(&["verify-backup", text(&backup)]), code);
        assert!(found.contains(words), "{found}");
        // Nor is it restored.
        let target = desk.above.path().join("target");
        refusal(
            &run(&["restore", text(&backup), "--data", text(&target)]),
            code,
        );
        assert!(!target.exists());
    };
    let mut flipped = bytes.clone();
    flipped[bytes.len() / 2] ^= 1;
    fs::write(&copy, &flipped).expect("written");
    check(3, "its SHA-256 has changed");
    fs::write(&copy, &bytes[..bytes.len() - 4_096]).expect("written");
    check(3, "bytes instead of");
    fs::write(&copy, &bytes).expect("written");
    let other = described.replace("\"matches\": 1", "\"matches\": 2");
    assert_ne!(other, described);
    fs::write(&manifest, other).expect("written");
    check(3, "it holds other logs");
    fs::write(&manifest, &described[..described.len() / 2]).expect("written");
    check(3, "its manifest cannot be read");
    let other = described.replace("grundy/backup/1", "grundy/backup/9");
    fs::write(&manifest, other).expect("written");
    check(3, "its schema is \"grundy/backup/9\"");
    fs::remove_file(&manifest).expect("removed");
    check(2, "is not a backup");
    fs::write(&manifest, &described).expect("written");
    fs::remove_file(&copy).expect("removed");
    check(3, "is damaged");
    fs::write(&copy, &bytes).expect("written");
    stdout(&run(&["verify-backup", text(&backup)]));
}

#[tokio::test]
async fn a_restore_spares_a_server_and_moves_a_database_aside() {
    let desk = Desk::new().await;
    let (whole, later) = (
        played::match_of(1, "nim:2,3"),
        played::match_of(2, "nim:1,1"),
    );
    desk.play(&whole, 0..whole.steps.len()).await;
    let backup = desk.backup();
    desk.play(&later, 0..later.steps.len()).await;
    let data = desk.data();
    let restore = ["restore", text(&backup), "--data", text(&data)];
    let aside = [&restore[..], &["--move-aside"]].concat();
    // A server runs.
    for words in [&restore[..], &aside] {
        let refused = refusal(&run(words), 4);
        assert!(refused.contains("is in use by process"), "{refused}");
    }
    // Stopped as by a kill, with a write-ahead log that is not empty.
    let kept = TempDir::new().expect("a directory");
    for file in ["grundy.db", "grundy.db-wal"] {
        fs::copy(data.join(file), kept.path().join(file)).expect("copied");
    }
    desk.store.close().await;
    for file in ["grundy.db", "grundy.db-wal"] {
        fs::copy(kept.path().join(file), data.join(file)).expect("copied");
    }
    let log = fs::read(data.join("grundy.db-wal")).expect("readable");
    assert!(!log.is_empty());
    let refused = refusal(&run(&restore), 2);
    assert!(refused.contains("--move-aside"), "{refused}");
    assert_eq!(fs::read(data.join("grundy.db-wal")).expect("readable"), log);

    let restored = json(&run(&[&aside[..], &["--json"]].concat()));
    let moved = PathBuf::from(restored["moved_to"].as_str().expect("a directory"));
    assert_eq!(fs::read(moved.join("grundy.db-wal")).expect("moved"), log);
    assert!(!data.join("grundy.db-wal").exists());
    let report = fsck(&location(&data)).await.expect("readable");
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.matches, 1);
    // What was moved is complete.
    let report = fsck(&moved.join("grundy.db")).await.expect("readable");
    assert!(report.is_sound(), "{report}");
    assert_eq!(report.matches, 2);
    // A backup is not restored onto itself.
    let refused = refusal(
        &run(&["restore", text(&backup), "--data", text(&backup)]),
        2,
    );
    assert!(refused.contains("is the backup itself"), "{refused}");
}

#[tokio::test]
async fn old_backups_are_removed_and_nothing_else() {
    let desk = Desk::new().await;
    let first = desk.backup();
    let mut made = vec![desk.backup(), desk.backup()];
    // What only looks like a backup, a backup with a file of its owner, and a link to one that is elsewhere.
    let shelf = desk.shelf();
    fs::create_dir_all(shelf.join("notes")).expect("a directory");
    fs::write(shelf.join("notes").join("grundy.db"), "mine").expect("written");
    fs::write(first.join("why.txt"), "the day before the cup").expect("written");
    let elsewhere = desk.above.path().join("elsewhere");
    fs::rename(&made[0], &elsewhere).expect("moved");
    symlink(&elsewhere, shelf.join("0000")).expect("a link");
    made.remove(0);
    let done = json(&desk.back_up(&["--keep", "1", "--json"]));
    let removed = done["removed"].as_array().expect("a list");
    assert_eq!(removed, &[Value::from(text(&made[0]))]);
    let kept = done["kept"].as_array().expect("a list");
    assert!(
        kept.len() == 1 && kept[0].to_string().contains(text(&first)),
        "{kept:?}"
    );
    let newest = PathBuf::from(done["directory"].as_str().expect("a directory"));
    assert!(newest.join("grundy.db").exists() && !made[0].exists());
    assert!(elsewhere.join("grundy.db").exists());
    assert!(first.join("grundy.db").exists());
    assert!(shelf.join("notes").join("grundy.db").exists());
    refusal(&desk.back_up(&["--keep", "0"]), 2);
}

#[tokio::test]
async fn a_backup_that_is_killed_leaves_none_and_the_next_clears_up() {
    let desk = Desk::new().await;
    // A limit on the size of files kills the program while it writes the copy.
    let (shelf, data) = (desk.shelf(), desk.data());
    let killed = Command::new("sh")
        .args(["-c", r#"ulimit -f 8; exec "$0" "$@""#])
        .arg(env!("CARGO_BIN_EXE_grundy-server"))
        .args(["backup", text(&shelf), "--data", text(&data)])
        .output()
        .expect("a shell");
    assert!(!killed.status.success(), "{killed:?}");
    refusal(&run(&["verify-backup", text(&shelf)]), 2);
    let backup = desk.backup();
    let name = backup.file_name().and_then(|name| name.to_str());
    assert_eq!(
        names(&shelf),
        BTreeSet::from([name.expect("UTF-8").to_owned()])
    );
}

/// A data directory with the fixture of schema 1, as a kill left it.
fn older(above: &TempDir) -> PathBuf {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schema-1");
    let data = above.path().join("data");
    fs::create_dir(&data).expect("a directory");
    for name in ["grundy.db", "grundy.db-wal"] {
        fs::copy(fixture.join(name), data.join(name)).expect("copied");
    }
    data
}

#[tokio::test]
async fn an_upgrade_is_rehearsed_made_and_undone() {
    let above = TempDir::new().expect("a directory");
    let data = older(&above);
    let files = |data: &Path| {
        ["grundy.db", "grundy.db-wal"].map(|name| fs::read(data.join(name)).expect("there"))
    };
    let before = files(&data);
    let rehearsed = json(&run(&[
        "migrate",
        "--dry-run",
        "--json",
        "--data",
        text(&data),
    ]));
    assert_eq!(files(&data), before, "a rehearsal changes nothing");
    assert!(
        names(&data)
            .iter()
            .all(|name| name.starts_with("grundy.db"))
    );
    let (from, to) = (&rehearsed["from_schema"], &rehearsed["to_schema"]);
    assert!(*from == 1 && to.as_i64() > Some(10), "{rehearsed}");
    assert_eq!(rehearsed["report"]["problems"], 0);
    let matches = &rehearsed["report"]["matches"];

    // A backup of a database with an older schema is possible too.
    let shelf = above.path().join("backups");
    let made = stdout(&run(&["backup", text(&shelf), "--data", text(&data)]));
    assert!(made.contains("schema 1; "), "{made}");

    let migrated = stdout(&run(&["migrate", "--data", text(&data)]));
    assert!(migrated.contains("upgraded schema 1 to "), "{migrated}");
    let kept = data.join("before-upgrade-of-schema-1");
    assert!(migrated.contains(text(&kept)), "{migrated}");
    assert!(migrated.ends_with(": sound\n"), "{migrated}");
    let again = stdout(&run(&["migrate", "--data", text(&data)]));
    assert!(again.contains("nothing to upgrade"), "{again}");

    // The way back.
    let verified = stdout(&run(&["verify-backup", text(&kept)]));
    assert!(verified.contains("its logs have schema 1"), "{verified}");
    let back = stdout(&run(&[
        "restore",
        text(&kept),
        "--data",
        text(&data),
        "--move-aside",
    ]));
    assert!(
        back.contains("start it with the older grundy-server"),
        "{back}"
    );
    let rehearsed = json(&run(&[
        "migrate",
        "--dry-run",
        "--json",
        "--data",
        text(&data),
    ]));
    assert_eq!(rehearsed["from_schema"], 1);
    assert_eq!(&rehearsed["report"]["matches"], matches);
}

#[tokio::test]
async fn a_start_keeps_a_copy_before_it_upgrades() {
    let above = TempDir::new().expect("a directory");
    let data = older(&above);
    let kept = data.join("before-upgrade-of-schema-1");
    // One of an earlier try is replaced.
    fs::create_dir(&kept).expect("a directory");
    for name in ["backup.json", "grundy.db"] {
        fs::write(kept.join(name), "old").expect("written");
    }
    let store = SqliteStore::open(&location(&data)).await.expect("upgraded");
    store.close().await;
    let manifest = Manifest::read(&kept).expect("a manifest");
    assert_eq!(manifest.database_schema, 1);
    let inode = fs::metadata(kept.join("grundy.db")).expect("there").ino();
    // The next start has nothing to upgrade.
    let store = SqliteStore::open(&location(&data)).await.expect("a store");
    store.close().await;
    assert_eq!(
        fs::metadata(kept.join("grundy.db")).expect("there").ino(),
        inode
    );
    // Without room for the copy there is no upgrade.
    let above = TempDir::new().expect("a directory");
    let data = older(&above);
    fs::write(data.join("before-upgrade-of-schema-1"), "in the way").expect("written");
    let refused = SqliteStore::open(&location(&data))
        .await
        .expect_err("refused");
    assert!(
        refused
            .to_string()
            .contains("no copy can be kept before the upgrade"),
        "{refused}"
    );
    let plain = run(&["migrate", "--without-copy", "--data", text(&data)]);
    assert!(stdout(&plain).ends_with(": sound\n"), "{plain:?}");
}
