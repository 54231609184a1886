//! The lower bound for `grundy arena`: round trips per second over bare pipes to a bot that answers immediately. Each lane is one thread
//! with one bot process. A round trip writes one line and reads one, without clocks, rules or records.
//!
//!     pipe_floor BOT LANES SECONDS

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, bot, lanes, seconds] = words.as_slice() else {
        eprintln!("usage: pipe_floor BOT LANES SECONDS");
        std::process::exit(2);
    };
    let lanes: usize = lanes.parse().expect("a number of lanes");
    let seconds: f64 = seconds.parse().expect("a number of seconds");
    let begun = Instant::now();
    let until = begun + Duration::from_secs_f64(seconds);
    let threads: Vec<_> = (0..lanes)
        .map(|_| {
            let bot = bot.clone();
            std::thread::spawn(move || lane(&bot, until))
        })
        .collect();
    let lanes_done = threads.into_iter().map(|thread| thread.join().expect("a lane"));
    let trips: u64 = lanes_done.sum();
    let rate = trips as f64 / begun.elapsed().as_secs_f64();
    println!("{{\"floor\":\"pipe\",\"lanes\":{lanes},\"round_trips_per_s\":{rate:.0}}}");
}

fn lane(bot: &str, until: Instant) -> u64 {
    let mut child = Command::new(bot)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    let mut stdout = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut answer = String::new();
    let mut trips = 0;
    while Instant::now() < until {
        for _ in 0..100 {
            trips += 1;
            let line = format!("go id {trips} position nim:2,3,5 side first movetime 1000 latency_us 10\n");
            stdin.write_all(line.as_bytes()).expect("the bot reads");
            answer.clear();
            stdout.read_line(&mut answer).expect("the bot answers");
        }
    }
    drop(stdin);
    child.wait().expect("the bot ends");
    trips
}
