//! Every kind of change that another program, a disk or an operator can make, many times each: found, or known not to be.

pub(crate) mod bed;
mod chance;
mod files;
mod logs;
mod rows;

use std::path::Path;

use grundy_server::fsck::fsck;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Row};
use tempfile::TempDir;

use self::bed::{Bed, Files};
use self::chance::Chance;

/// Trials of each kind, unless `GRUNDY_TRIALS` says otherwise: `scripts/prove-fsck` makes 20.
const TRIALS: usize = 2;

/// What is expected of a kind of change.
#[derive(Clone, Copy)]
enum Expected {
    /// It is found, whatever it hits.
    Found,
    /// It is found, or the database holds what it held before.
    FoundOrHarmless,
    /// It is not found, for this reason.
    Undetectable(&'static str),
}

/// A kind of change.
enum Kind {
    Row(rows::RowKind),
    Log(logs::LogKind),
    File(files::FileKind),
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Self::Row(kind) => kind.0,
            Self::Log(kind) => kind.0,
            Self::File(kind) => kind.0,
        }
    }

    fn files(&self) -> Files {
        match self {
            Self::Row(_) | Self::Log(_) => Files::Closed,
            Self::File(kind) => kind.1,
        }
    }
}

fn kinds() -> Vec<(Kind, Expected)> {
    let rows = rows::PLAYERS.iter().chain(rows::MATCHES);
    let rows = rows.map(|kind| (Kind::Row(*kind), Expected::Found));
    let logs = logs::LOGS.iter();
    let logs = logs.map(|kind| (Kind::Log(*kind), Expected::Found));
    let files = files::FILES.iter();
    let files = files.map(|kind| (Kind::File(*kind), Expected::Found));
    let perhaps = files::PERHAPS_HARMLESS.iter();
    let perhaps = perhaps.map(|kind| (Kind::File(*kind), Expected::FoundOrHarmless));
    let never = rows::UNDETECTABLE.iter();
    let never = never.map(|(kind, why)| (Kind::Row(*kind), Expected::Undetectable(why)));
    let never_files = files::UNDETECTABLE.iter();
    let never_files =
        never_files.map(|(kind, why)| (Kind::File(*kind), Expected::Undetectable(why)));
    let all = rows.chain(logs).chain(files).chain(perhaps);
    all.chain(never).chain(never_files).collect()
}

/// Everything that the database holds but how it is used, as one text; `None` if it cannot be read.
async fn contents(path: &Path) -> Option<String> {
    let options = SqliteConnectOptions::new().filename(path);
    let mut connection = options.connect().await.ok()?;
    let all = read_all(&mut connection).await.ok();
    let _ = connection.close().await;
    all
}

async fn read_all(connection: &mut sqlx::SqliteConnection) -> Result<String, sqlx::Error> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'run' ORDER BY name",
    )
    .fetch_all(&mut *connection)
    .await?;
    let mut all = String::new();
    for table in tables {
        let columns: Vec<String> =
            sqlx::query_scalar("SELECT 'quote(\"' || name || '\")' FROM pragma_table_info(?1)")
                .bind(&table)
                .fetch_all(&mut *connection)
                .await?;
        let columns = columns.join(" || ',' || ");
        let rows = sqlx::query(AssertSqlSafe(format!(
            "SELECT {columns} FROM \"{table}\" ORDER BY 1"
        )))
        .fetch_all(&mut *connection)
        .await?;
        for row in rows {
            all.push_str(row.try_get::<Option<&str>, _>(0)?.unwrap_or_default());
            all.push('\n');
        }
    }
    Ok(all)
}

#[derive(PartialEq, Eq, Debug)]
enum Verdict {
    Found,
    Harmless,
    Missed,
}

async fn trial(kind: &Kind, bed: &Bed, chance: &mut Chance, before: Option<&String>) -> Verdict {
    let directory = TempDir::new().unwrap();
    let path = bed.copy(kind.files(), &directory.path().join("data"));
    match kind {
        Kind::Row(kind) => rows::change(*kind, &path, chance).await,
        Kind::Log(kind) => logs::change(*kind, &path, chance).await,
        Kind::File(kind) => files::change(*kind, bed, &path, chance).await,
    }
    match fsck(&path).await {
        Ok(report) if report.is_sound() => match contents(&path).await {
            Some(now) if Some(&now) == before => Verdict::Harmless,
            _ => Verdict::Missed,
        },
        // A database that cannot be opened is not taken for a sound one either.
        Ok(_) | Err(_) => Verdict::Found,
    }
}

#[tokio::test]
async fn every_kind_of_change_is_found_or_known_not_to_be() {
    let trials = match std::env::var("GRUNDY_TRIALS") {
        Ok(text) => text.parse().expect("GRUNDY_TRIALS is a number"),
        Err(_) => TRIALS,
    };
    let mut chance = Chance::announced();
    let bed = Bed::build().await;
    let mut before = Vec::new();
    for files in [Files::Closed, Files::Killed] {
        let directory = TempDir::new().unwrap();
        let path = bed.copy(files, &directory.path().join("data"));
        let report = fsck(&path).await.unwrap();
        assert!(report.is_sound(), "{files:?}: {report}");
        before.push((files, contents(&path).await));
    }
    let kinds = kinds();
    assert!(kinds.len() >= 60, "{}", kinds.len());
    let mut wrong = Vec::new();
    println!("| kind of change | found | harmless | missed |\n|---|---|---|---|");
    for (kind, expected) in &kinds {
        let known = before.iter().find(|(files, _)| *files == kind.files());
        let known = known.and_then(|(_, contents)| contents.as_ref());
        let mut counts = [0; 3];
        for _ in 0..trials {
            let verdict = trial(kind, &bed, &mut chance, known).await;
            counts[verdict as usize] += 1;
        }
        let [found, harmless, missed] = counts;
        let as_expected = match expected {
            Expected::Found => found == trials,
            Expected::FoundOrHarmless => missed == 0,
            Expected::Undetectable(_) => found == 0,
        };
        let why = match expected {
            Expected::Undetectable(why) => format!(" (undetectable: {why})"),
            Expected::Found | Expected::FoundOrHarmless => String::new(),
        };
        let line = format!("| {}{why} | {found} | {harmless} | {missed} |", kind.name());
        println!("{line}");
        if !as_expected {
            wrong.push(line);
        }
    }
    println!("{} kinds, {trials} trials each", kinds.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
