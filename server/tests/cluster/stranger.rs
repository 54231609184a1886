//! Somebody else on the same NATS.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::net::SocketAddr;

use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::patience::PATIENCE;

/// Matches about which hints are forged.
const MATCHES: usize = 6;
/// Rounds of a flood.
const ROUNDS: u64 = 20;

/// Publishes hints that are not true about matches that are played, and what is no hint at all. Subject and matches are learnt by listening.
pub(crate) async fn flood(bus: SocketAddr) {
    let socket = TcpStream::connect(bus).await;
    let (from, mut to) = socket.expect("NATS listens").into_split();
    let mut lines = BufReader::new(from).lines();
    let hello = "CONNECT {\"verbose\":false,\"pedantic\":false}\r\nSUB grundy.> 1\r\n";
    to.write_all(hello.as_bytes()).await.expect("NATS listens");
    let overheard = async {
        let (mut subject, mut matches) = (String::new(), BTreeSet::new());
        while matches.len() < MATCHES {
            let line = lines.next_line().await.expect("NATS speaks");
            let line = line.expect("NATS stays");
            if let Some(message) = line.strip_prefix("MSG ") {
                message
                    .split(' ')
                    .next()
                    .unwrap_or_default()
                    .clone_into(&mut subject);
            } else if let Some(hint) = line.strip_prefix("m ") {
                matches.extend(hint.split(' ').next().map(str::to_owned));
            }
        }
        (subject, matches)
    };
    let heard = timeout(PATIENCE, overheard).await;
    let (subject, matches) = heard.expect("servers publish hints while matches are played");
    for round in 1..=ROUNDS {
        let mut text = String::new();
        for packet in packets(&matches, round) {
            // To write into a string does not fail.
            let _ = write!(text, "PUB {subject} {}\r\n{packet}\r\n", packet.len());
            let _ = write!(
                text,
                "PUB grundy.other.hints {}\r\n{packet}\r\n",
                packet.len()
            );
        }
        to.write_all(text.as_bytes()).await.expect("NATS listens");
    }
}

fn packets(matches: &BTreeSet<String>, round: u64) -> Vec<String> {
    let forged = matches.iter().flat_map(|id| {
        [u64::MAX, round, 1_000_000 + round].map(|last| format!("7\nm {id} {last}\n"))
    });
    let junk = [
        "",
        "7",
        "x\ny\n",
        "7\nm  \n",
        "7\nm 1 1 1 1\n",
        "\u{0}\u{1}",
    ];
    forged.chain(junk.map(str::to_owned)).collect()
}
