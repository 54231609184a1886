//! A port of 127.0.0.1 for a program that names its own and is started again on it.

use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicU16, Ordering};

/// Ports that no system gives to whoever asks for any: what is free stays free while its program is down.
const PORTS: std::ops::Range<u16> = 20_000..30_000;

/// The next one that is free. Other runs of the tests begin elsewhere.
pub(crate) fn free_port() -> u16 {
    static GIVEN: AtomicU16 = AtomicU16::new(0);
    let begin = std::process::id() * 64;
    for _ in PORTS {
        let given = u32::from(GIVEN.fetch_add(1, Ordering::Relaxed));
        let count = u32::from(PORTS.end - PORTS.start);
        let at = u16::try_from((begin + given) % count).expect("less than the count");
        let port = PORTS.start + at;
        if TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_ok() {
            return port;
        }
    }
    panic!("no port of {PORTS:?} is free");
}
