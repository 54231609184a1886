//! Timing of single questions.
use grundy_shared::{
    Position,
    ids::Seat,
    solver::{Budget, explain, solve},
};
use std::time::Instant;
fn main() {
    let ex = std::env::args().nth(1).as_deref() == Some("explain");
    for text in std::env::args().skip(2) {
        let p = match Position::parse(&text) {
            Ok(p) => p,
            Err(e) => {
                println!("{text}: {e:?}");
                continue;
            }
        };
        let t = Instant::now();
        let stop = || t.elapsed().as_millis() > 10_000;
        let b = Budget {
            nodes: 1 << 40,
            memory_bytes: 1 << 30,
            stop: &stop,
        };
        if ex {
            println!("== {text}\n{}", explain(&p, Seat::First, &b));
            continue;
        }
        let s = solve(&p, Seat::First, &b, 3);
        println!(
            "{:.3}s {}",
            t.elapsed().as_secs_f64(),
            serde_json::to_string(&s).unwrap()
        );
    }
}
