//! A bus that asks for encryption and a password.

use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::client::Client;
use crate::cluster::{Cluster, Hints};
use crate::duel::Duel;
use crate::nats::Nats;
use crate::node::Node;
use crate::patience::{PATIENCE, until};

const PASSWORD: &str = "s3cret";

fn write(directory: &Path, name: &str, pem: &str) -> PathBuf {
    let path = directory.join(name);
    std::fs::write(&path, pem).expect("a file");
    path
}

/// Starts a node that connects to this bus with this password and trusts this certificate.
async fn start(node: &mut Node, bus: &Nats, password: &str, trusted: &Path) {
    let url = format!("tls://grundy:{password}@localhost:{}", bus.port());
    let trusted = trusted.display().to_string();
    node.give(["--bus", &url], ("SSL_CERT_FILE", trusted));
    node.kill().await;
    node.start().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_secured_bus_carries_hints_for_those_who_know_the_password_and_no_others() {
    let directory = TempDir::new().expect("a directory");
    let certify =
        || rcgen::generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate");
    let (own, other) = (certify(), certify());
    let own_pem = write(directory.path(), "own.pem", &own.cert.pem());
    let other_pem = write(directory.path(), "other.pem", &other.cert.pem());
    let key = write(
        directory.path(),
        "key.pem",
        &own.signing_key.serialize_pem(),
    );
    let bus = Nats::start_secured(&own_pem, &key, PASSWORD).await;
    let mut cluster = Cluster::start(4, Hints::None).await;
    let [a, b, forgetful, deceived] = &mut cluster.nodes[..] else {
        panic!("four nodes");
    };
    start(a, &bus, PASSWORD, &own_pem).await;
    start(b, &bus, PASSWORD, &own_pem).await;
    start(forgetful, &bus, "wrong", &own_pem).await;
    start(deceived, &bus, PASSWORD, &other_pem).await;
    until("both know the bus", async || {
        a.metric("grundy_bus_connected").await + b.metric("grundy_bus_connected").await > 1.0
    })
    .await;
    let mut duel = Duel::begin(a, b, false).await;
    duel.one.get(duel.mv(1, "A-1"), "accepted").await;
    until("a hint crosses", async || {
        b.metric("grundy_bus_received_total").await > 0.0
    })
    .await;
    // The others say why they have no bus, and serve all the same.
    for (node, why) in [(&*forgetful, "authorization"), (&*deceived, "io error")] {
        until(why, async || {
            node.logged().lines().any(|line| {
                line.contains("the bus cannot be used") && line.to_lowercase().contains(why)
            })
        })
        .await;
        assert!(!node.logged().contains(PASSWORD));
        let mut client = Client::come(node).await;
        client
            .get(json!({"type": "watch", "match": duel.id}), "attached")
            .await;
    }
    // Who does not encrypt is not let in.
    let mut stranger = TcpStream::connect(("127.0.0.1", bus.port()))
        .await
        .expect("it listens");
    let hello = "CONNECT {\"verbose\":true}\r\nPUB grundy.x.hints 1\r\nx\r\n";
    stranger
        .write_all(hello.as_bytes())
        .await
        .expect("it listens");
    let mut said = Vec::new();
    let heard = timeout(PATIENCE, stranger.read_to_end(&mut said)).await;
    // It closes the connection, or breaks it.
    let _ = heard.expect("it ends the connection");
    let said = String::from_utf8_lossy(&said).into_owned();
    assert!(said.contains("tls_required"), "{said}");
    assert!(!said.contains("+OK"), "{said}");
}
