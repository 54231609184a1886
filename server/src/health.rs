//! The question of `grundy-server health`: is the server of this configuration ready? For containers and timers.

use std::io::{Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::Duration;

use rustls::pki_types::ServerName;
use rustls::{ClientConnection, StreamOwned};

use crate::exit::{Exit, Failure};
use crate::tls::Certificates;

/// For the connection, and for each reading.
const WAIT: Duration = Duration::from_secs(3);
/// No answer of `/readyz` is longer.
const ANSWER_BYTES_MAX: u64 = 4_096;

/// Asks `/readyz` of the server that listens on this address, encrypted where it has certificates; gives its words.
///
/// # Errors
/// Exit 5 when nobody answers or the server is not ready.
pub fn ask(listen: SocketAddr, certificates: Option<&Certificates>) -> Result<String, Failure> {
    let address = reachable(listen);
    let scheme = if certificates.is_some() {
        "https"
    } else {
        "http"
    };
    let failed = |why: String| Failure::new(Exit::NotReady, format!("{scheme}://{address}: {why}"));
    if address.port() == 0 {
        let message = "port 0 is no address to ask; name the server's with --listen";
        return Err(Failure::new(Exit::Configuration, message));
    }
    let answer =
        get_readyz(address, certificates).map_err(|error| failed(format!("no answer: {error}")))?;
    let (head, words) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
    let status = head.split(' ').nth(1).unwrap_or("");
    let words: String = words.chars().filter(|sign| !sign.is_control()).collect();
    match status {
        "200" => Ok(words),
        "503" => Err(failed(format!("not ready: {words}"))),
        _ => Err(failed(
            "something else than a Grundy server answers".to_owned(),
        )),
    }
}

/// Who listens on every address is asked on loopback.
fn reachable(listen: SocketAddr) -> SocketAddr {
    let ip = match listen.ip() {
        IpAddr::V4(four) if four.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(six) if six.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        given => given,
    };
    SocketAddr::new(ip, listen.port())
}

fn get_readyz(address: SocketAddr, certificates: Option<&Certificates>) -> std::io::Result<String> {
    let stream = TcpStream::connect_timeout(&address, WAIT)?;
    stream.set_read_timeout(Some(WAIT))?;
    stream.set_write_timeout(Some(WAIT))?;
    match certificates {
        None => exchange(stream, address),
        Some(certificates) => {
            let name = ServerName::IpAddress(address.ip().into());
            let tls = ClientConnection::new(Arc::new(certificates.client()), name)
                .map_err(std::io::Error::other)?;
            exchange(StreamOwned::new(tls, stream), address)
        }
    }
}

fn exchange(mut stream: impl Read + Write, address: SocketAddr) -> std::io::Result<String> {
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes())?;
    let mut answer = Vec::new();
    stream.take(ANSWER_BYTES_MAX).read_to_end(&mut answer)?;
    Ok(String::from_utf8_lossy(&answer).into_owned())
}
