//! What PostgreSQL servers and databases the store refuses, and with which words.

use grundy_server::store::postgres::{Address, PostgresStore};
use grundy_server::store::{NodeId, Store, StoreError, open};
use grundy_shared::ids::Millis;
use sqlx::Connection;
use tempfile::TempDir;
use tokio::task::JoinSet;

use crate::cluster::{Cluster, Database, shared};

/// Why a database is refused.
async fn refusal(address: Address) -> StoreError {
    PostgresStore::open(address)
        .await
        .expect_err("it is refused")
}

/// That it says all of this.
fn says(error: &StoreError, words: &[&str]) {
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "{text:?} lacks {word:?}");
    }
}

#[tokio::test]
async fn a_database_that_is_not_ours_is_neither_opened_nor_migrated() {
    let cluster = shared().await;
    let name = cluster.make_database("template0").await;
    let address = cluster.address("owner", &name);
    let empty = refusal(address.clone()).await;
    says(&empty, &["it is empty", "migrate", &name]);
    cluster
        .run(&name, "CREATE TABLE customers (id BIGINT)")
        .await;
    for error in [
        refusal(address.clone()).await,
        PostgresStore::migrate(&address, None, &mut |_| ())
            .await
            .expect_err("it is refused"),
    ] {
        assert!(matches!(error, StoreError::NotOurs { .. }), "{error:?}");
        says(&error, &["another program", "createdb", &name]);
    }
    let left: bool = sqlx::query_scalar("SELECT to_regnamespace('grundy') IS NULL")
        .fetch_one(&mut cluster.connect(&name).await)
        .await
        .unwrap();
    assert!(left, "nothing is made in it");
}

#[tokio::test]
async fn what_an_extension_has_made_is_no_other_program() {
    let cluster = shared().await;
    let name = cluster.make_database("template0").await;
    cluster
        .run(&name, "CREATE EXTENSION pg_stat_statements")
        .await;
    let address = cluster.address("owner", &name);
    says(&refusal(address.clone()).await, &["it is empty", "migrate"]);
    PostgresStore::migrate(&address, None, &mut |_| ())
        .await
        .expect("it is ours now");
}

#[tokio::test]
async fn a_newer_and_an_older_schema_are_refused_with_both_versions() {
    let database = Database::new().await;
    let mut owner = database.connect().await;
    for (version, words) in [
        (99, &["schema 99", "newer grundy-server"]),
        (0, &["schema 0", "migrate"]),
    ] {
        sqlx::query("UPDATE grundy.schema_version SET version = $1, serves = $1")
            .bind(i64::from(version))
            .execute(&mut owner)
            .await
            .unwrap();
        says(&refusal(database.address()).await, words);
    }
}

#[tokio::test]
async fn a_newer_schema_that_serves_this_program_is_taken() {
    let database = Database::new().await;
    let mut owner = database.connect().await;
    sqlx::raw_sql("UPDATE grundy.schema_version SET version = 99")
        .execute(&mut owner)
        .await
        .unwrap();
    let store = PostgresStore::open(database.address()).await.unwrap();
    store.close().await;
}

#[tokio::test]
async fn migrating_again_and_at_once_changes_nothing() {
    let cluster = shared().await;
    let name = cluster.make_database("template0").await;
    let address = cluster.address("owner", &name);
    let migrate = async || PostgresStore::migrate(&address, None, &mut |_| ()).await;
    let (one, other) = tokio::join!(migrate(), migrate());
    assert_eq!((one, other), (Ok(Vec::new()), Ok(Vec::new())));
    PostgresStore::migrate(&address, None, &mut |_| ())
        .await
        .unwrap();
    let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM grundy.tally")
        .fetch_one(&mut cluster.connect(&name).await)
        .await
        .unwrap();
    assert_eq!(rows, 1);
}

#[tokio::test]
async fn settings_that_lose_commits_are_refused_by_name() {
    for (setting, words) in [
        (
            "synchronous_commit = off",
            &["synchronous_commit is off", "postgresql.conf"],
        ),
        (
            "default_transaction_read_only = on",
            &["default_transaction_read_only is on", "set it off"],
        ),
    ] {
        let database = Database::new().await;
        let statement = format!("ALTER DATABASE {} SET {setting}", database.name);
        database.cluster.run("postgres", &statement).await;
        says(&refusal(database.address()).await, words);
    }
    let cluster = shared().await;
    let statement = "CREATE DATABASE ascii ENCODING 'SQL_ASCII' TEMPLATE template0";
    cluster.run("postgres", statement).await;
    let error = refusal(cluster.address("owner", "ascii")).await;
    says(&error, &["SQL_ASCII", "ENCODING 'UTF8'"]);
}

#[tokio::test]
async fn a_standby_and_a_server_that_does_not_flush_are_refused() {
    let standby = Cluster::start_standby();
    let address = standby.address("owner", "postgres");
    says(
        &refusal(address.clone()).await,
        &["is a standby", "primary"],
    );
    for statement in ["ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()"] {
        standby.run("postgres", statement).await;
    }
    let mut owner = standby.connect("postgres").await;
    loop {
        let fsync: String = sqlx::query_scalar("SELECT current_setting('fsync')")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        if fsync == "off" {
            break;
        }
        tokio::task::yield_now().await;
    }
    let error = refusal(address).await;
    assert!(matches!(error, StoreError::Unsafe { .. }), "{error:?}");
    says(&error, &["fsync is off", "set fsync = on"]);
}

#[tokio::test]
async fn an_address_where_nothing_answers_says_what_to_look_at() {
    let address = "postgres://ann:s3cret@localhost/games?host=/nonexistent";
    let Err(error) = open::open(std::path::Path::new(address)).await else {
        panic!("nothing answers there");
    };
    says(&error, &["ann@/nonexistent", "whether PostgreSQL runs"]);
    assert!(!format!("{error} {error:?}").contains("s3cret"));
    let missing = refusal(shared().await.address("owner", "missing")).await;
    says(&missing, &["does not exist", "createdb"]);
}

#[tokio::test]
async fn the_role_of_servers_can_make_and_change_no_table() {
    let database = Database::new().await;
    let url = format!(
        "postgres://grundy_server@localhost/{}?host={}",
        database.name,
        database.cluster.directory()
    );
    let mut server = sqlx::PgConnection::connect(&url).await.unwrap();
    for statement in [
        "CREATE TABLE grundy.more (id BIGINT)",
        "CREATE TABLE public.more (id BIGINT)",
        "ALTER TABLE grundy.event ADD COLUMN more BIGINT",
        "DROP TABLE grundy.event",
        "TRUNCATE grundy.event",
        "UPDATE grundy.schema_version SET version = 2",
    ] {
        let refused = sqlx::raw_sql(statement)
            .execute(&mut server)
            .await
            .unwrap_err();
        let code = refused.as_database_error().and_then(|error| error.code());
        assert_eq!(code.as_deref(), Some("42501"), "{statement}: {refused}");
    }
    let (database, without) = (
        Database::new().await,
        "REVOKE SELECT ON grundy.schema_version FROM grundy_server",
    );
    database.cluster.run(&database.name, without).await;
    says(
        &refusal(database.address()).await,
        &["SELECT on schema_version", "--grant "],
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connections_are_encrypted_and_the_certificate_is_checked() {
    let certify = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (own, other) = (certify(), certify());
    let directory = TempDir::new().unwrap();
    let file = |name: &str, pem: String| {
        let path = directory.path().join(name);
        std::fs::write(&path, pem).unwrap();
        path.display().to_string()
    };
    let right = file("right.pem", own.cert.pem());
    let wrong = file("wrong.pem", other.cert.pem());
    let cluster = Cluster::start_encrypted(&own.cert.pem(), &own.signing_key.serialize_pem());
    cluster.make_template().await;
    let address = |password: &str, parameters: &str| {
        let port = cluster.port();
        Address::read(&format!(
            "postgres://grundy_server:{password}@localhost:{port}/grundy_template?{parameters}"
        ))
        .unwrap()
    };
    let checked = format!("sslmode=verify-full&sslrootcert={right}");
    let store = PostgresStore::open(address("s3cret", &checked))
        .await
        .unwrap();
    let encrypted: bool = sqlx::query_scalar(
        "SELECT bool_and(ssl) FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE usename = 'grundy_server'",
    )
    .fetch_one(&mut cluster.connect("postgres").await)
    .await
    .unwrap();
    assert!(encrypted);
    assert_eq!(store.ready().await, Ok(()));
    store.close().await;
    for (password, parameters, words) in [
        (
            "guessed",
            checked.as_str(),
            &["check user and password"][..],
        ),
        (
            "s3cret",
            &format!("sslmode=verify-full&sslrootcert={wrong}"),
            &["certificate", "sslrootcert"],
        ),
        // Without a file, the certificates of the system decide.
        ("s3cret", "sslmode=verify-full", &["certificate"]),
        ("s3cret", "sslmode=disable", &["no encryption"]),
    ] {
        let error = refusal(address(password, parameters)).await;
        says(&error, words);
        assert!(!format!("{error} {error:?}").contains(password), "{error}");
    }
}

/// A dump reads all tables in one transaction, for as long as it takes.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_waits_behind_a_migration_that_waits_for_a_dump() {
    let database = Database::new().await;
    let mut dump = database.connect().await;
    sqlx::raw_sql("BEGIN; LOCK TABLE grundy.schema_version, grundy.node IN ACCESS SHARE MODE")
        .execute(&mut dump)
        .await
        .unwrap();
    let owner = database.cluster.address("owner", &database.name);
    let mut migrating = JoinSet::new();
    migrating.spawn(async move { PostgresStore::migrate(&owner, None, &mut |_| ()).await });
    // Each server asks which version the tables have, and then for a lease. Some do so while the migration waits.
    let mut watcher = database.connect().await;
    let waits = "SELECT count(*) > 0 FROM pg_locks JOIN pg_database ON pg_database.oid = database WHERE NOT granted AND datname = current_database()";
    let (mut behind, mut number) = (0, 0);
    while behind < 2 {
        let waiting: bool = sqlx::query_scalar(waits)
            .fetch_one(&mut watcher)
            .await
            .unwrap();
        behind += u32::from(waiting);
        number += 1;
        let store = database.store().await;
        let lease = store.enlist(NodeId(number), Millis(1)).await.unwrap();
        store.heartbeat(lease, Millis(2)).await.unwrap();
        store.close().await;
    }
    assert!(migrating.try_join_next().is_none(), "it waits for the dump");
    sqlx::raw_sql("COMMIT").execute(&mut dump).await.unwrap();
    let migrated = migrating.join_next().await;
    migrated.unwrap().unwrap().unwrap();
}
