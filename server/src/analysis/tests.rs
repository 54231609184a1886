//! The pool on its threads.

use std::sync::atomic::AtomicBool;
use std::sync::mpsc;

use grundy_shared::ids::PlayerId;

use super::*;

const BOUNDS: Bounds = Bounds {
    threads: 1,
    queue: 1,
    queue_per_address: 1,
    queue_per_player: 1,
    cpu: Duration::from_millis(20),
    memory_bytes: 1 << 20,
    nodes: u64::MAX,
};

fn owner(address: u16) -> Owner {
    Owner::of_player(PlayerId::from_random(address.into()), Some(address))
}

fn start(bounds: Bounds) -> Analysis {
    Analysis::start(bounds, SolverQueue::default()).expect("threads")
}

fn submit(
    pool: &Analysis,
    purpose: Purpose,
    owner: Owner,
    work: impl FnMut(&Budget<'_>) + Send + 'static,
) -> Result<(), QueueFull> {
    pool.submit(purpose, owner, || Job::new(|| false, work, |_| ()))
}

/// Work that ends when its budget does.
fn endless(budget: &Budget<'_>) {
    while !(budget.stop)() {}
}

#[test]
fn a_job_without_end_is_stopped_at_its_cpu_time() {
    let pool = start(BOUNDS);
    let (done, is_done) = mpsc::sync_channel(2);
    let work = move |budget: &Budget<'_>| {
        let began = thread_time();
        endless(budget);
        let _ = done.send(thread_time() - began);
    };
    submit(&pool, Purpose::Study, owner(1), work).expect("room");
    // A first attempt, and one with all of the time.
    let used: Vec<Duration> = is_done.iter().take(2).collect();
    // The clock of the first is read a moment before that of the job.
    assert!(
        used[0] >= SLICE / 2 && used[1] >= BOUNDS.cpu / 2 && used[0] < used[1],
        "{used:?}"
    );
    // Exact where nothing disturbs the measure; a virtual machine may count time in which it did not run.
    assert!(
        used.iter().all(|used| *used < Duration::from_secs(2)),
        "{used:?}"
    );
}

#[test]
fn a_short_job_does_not_wait_for_a_long_one() {
    let bounds = Bounds {
        cpu: Duration::from_secs(600),
        ..BOUNDS
    };
    let pool = start(bounds);
    let (began, has_begun) = mpsc::sync_channel(2);
    let stop = Arc::<AtomicBool>::default();
    let stopped = stop.clone();
    let job = Job::new(
        move || stopped.load(Ordering::Relaxed),
        move |budget: &Budget<'_>| {
            let _ = began.send(());
            endless(budget);
        },
        |_| (),
    );
    pool.submit(Purpose::Study, owner(1), || job).expect("room");
    // It is on the only thread for long jobs.
    has_begun.iter().take(2).for_each(drop);
    let (done, is_done) = mpsc::sync_channel(1);
    for purpose in [Purpose::Study, Purpose::Play] {
        let done = done.clone();
        let work = move |_: &Budget<'_>| done.send(()).expect("the test waits");
        submit(&pool, purpose, owner(2), work).expect("room");
        is_done.recv().expect("it is done meanwhile");
    }
    stop.store(true, Ordering::Relaxed);
}

#[test]
fn a_long_job_of_a_busy_address_is_begun_again_after_a_move_of_another() {
    let bounds = Bounds {
        cpu: Duration::from_secs(600),
        queue: 8,
        queue_per_address: 8,
        queue_per_player: 8,
        ..BOUNDS
    };
    let pool = start(bounds);
    let (done, is_done) = mpsc::sync_channel(64);
    let stop = Arc::<AtomicBool>::default();
    let long = |word: &'static str| {
        let (done, stopped) = (done.clone(), stop.clone());
        let work = move |budget: &Budget<'_>| {
            done.send(word).expect("room");
            endless(budget);
        };
        Job::new(move || stopped.load(Ordering::Relaxed), work, |_| ())
    };
    for _ in 0..4 {
        pool.submit(Purpose::Study, owner(1), || long("study"))
            .expect("room");
    }
    // Four first attempts, and one that runs.
    let order: Vec<_> = is_done.iter().take(5).collect();
    assert_eq!(order, ["study"; 5]);
    pool.submit(Purpose::Play, owner(2), || long("play"))
        .expect("room");
    let order: Vec<_> = is_done.iter().take(2).collect();
    assert_eq!(
        order, ["play"; 2],
        "a first attempt, then instead of the long job"
    );
    stop.store(true, Ordering::Relaxed);
}

#[test]
fn what_lost_its_place_is_answered_and_what_nobody_needs_is_dropped() {
    let bounds = Bounds {
        queue: 2,
        queue_per_address: 2,
        queue_per_player: 2,
        cpu: Duration::from_secs(600),
        ..BOUNDS
    };
    let queue = SolverQueue::default();
    let pool = Analysis::start(bounds, queue.clone()).expect("threads");
    let (hold, held) = mpsc::sync_channel::<()>(1);
    let (started, is_started) = mpsc::sync_channel(1);
    let blocking = move |_: &Budget<'_>| {
        let _ = started.send(());
        let _ = held.recv();
    };
    submit(&pool, Purpose::Study, owner(9), blocking).expect("room");
    is_started
        .recv()
        .expect("it holds the thread for first attempts");
    let (told, hears) = mpsc::sync_channel(8);
    let job = |word: &'static str, cancelled: bool| {
        let told = told.clone();
        let then = move |found: Result<Found<()>, QueueFull>| {
            told.send((word, found.is_ok())).expect("room");
        };
        Job::new(move || cancelled, |_: &Budget<'_>| (), then)
    };
    for word in ["first", "second"] {
        pool.submit(Purpose::Study, owner(1), || job(word, false))
            .expect("room");
    }
    let prepared = || panic!("a job is made only where there is room");
    assert_eq!(
        pool.submit(Purpose::Study, owner(1), prepared),
        Err(QueueFull)
    );
    // The modest newcomer displaces the newest of the greediest.
    pool.submit(Purpose::Play, owner(2), || job("modest", false))
        .expect("room");
    assert_eq!(hears.recv(), Ok(("second", false)));
    drop(hold);
    let answered: Vec<_> = hears.iter().take(2).collect();
    assert_eq!(answered, [("first", true), ("modest", true)]);
    assert_eq!(queue.waiting_in_all(), 0);
    let study = Purpose::Study.label();
    assert_eq!(queue.refused.get_or_create(&study).get(), 2);
    pool.submit(Purpose::Study, owner(1), || job("unneeded", true))
        .expect("room");
    pool.submit(Purpose::Study, owner(1), || job("last", false))
        .expect("room");
    assert_eq!(hears.recv(), Ok(("last", true)));
    assert_eq!(queue.dropped.get_or_create(&study).get(), 1);
}

#[test]
fn what_nobody_waits_for_gives_way() {
    let bounds = Bounds {
        cpu: Duration::from_secs(60),
        ..BOUNDS
    };
    let pool = start(bounds);
    let gave_way = Arc::<AtomicBool>::default();
    let (started, is_started) = mpsc::sync_channel(1);
    let (done, is_done) = mpsc::sync_channel(3);
    let idle = done.clone();
    let work = move |budget: &Budget<'_>| {
        let _ = started.send(());
        endless(budget);
        let _ = idle.send("idle");
    };
    let job = Job::new(|| false, work, |_| ()).giving_way(gave_way.clone());
    pool.submit(Purpose::Idle, Owner::SERVER, || job)
        .expect("room");
    is_started.recv().expect("it starts");
    // A short job needs no thread for long ones.
    let short = done.clone();
    let work = move |_: &Budget<'_>| short.send("short").expect("the test waits");
    submit(&pool, Purpose::Study, owner(1), work).expect("room");
    assert_eq!(is_done.recv(), Ok("short"));
    assert!(!gave_way.load(Ordering::Relaxed));
    let work = move |_: &Budget<'_>| done.send("secret").expect("the test waits");
    submit(&pool, Purpose::Secret, owner(1), work).expect("room");
    assert_eq!(is_done.recv(), Ok("idle"));
    assert_eq!(is_done.recv(), Ok("secret"));
    assert!(gave_way.load(Ordering::Relaxed));
}

#[test]
fn a_panic_costs_one_job() {
    let pool = start(BOUNDS);
    let (dropped, is_dropped) = mpsc::sync_channel::<()>(1);
    let panics = move |_: &Budget<'_>| {
        let _owned = &dropped;
        panic!("on purpose");
    };
    submit(&pool, Purpose::Study, owner(1), panics).expect("room");
    assert!(is_dropped.recv().is_err(), "what it owned is dropped");
    let (done, is_done) = mpsc::sync_channel(1);
    let next = move |_: &Budget<'_>| done.send(()).expect("the test waits");
    submit(&pool, Purpose::Study, owner(1), next).expect("room");
    is_done.recv().expect("the thread lives on");
}
