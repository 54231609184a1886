//! The hall of two servers on one store, without sockets.

use std::sync::atomic::AtomicU32;
use std::time::Duration;

use futures::future::join_all;
use grundy_shared::ids::Millis;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::listening::{HEEDLESS, LOOK_EVERY};
use super::*;
use crate::bus::none::NoBus;
use crate::store::memory::MemoryStore;
use crate::store::{NodeId, WordSummary};

/// Writes down what it hears.
#[derive(Default)]
struct Ear {
    heard: Mutex<Vec<String>>,
    missing: AtomicU32,
    hall: OnceLock<Weak<Hall>>,
}

impl Ear {
    fn notes(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    fn note(&self, text: String) {
        self.heard.lock().unwrap().push(text);
    }
}

impl Hearer for Ear {
    fn hear(&self, heard: Heard<'_>) -> Result<(), serde_json::Error> {
        let Heard {
            by, stale, body, ..
        } = heard;
        let after = if stale { " after its end" } else { "" };
        self.note(format!("{} says {body}{after}", by.node));
        serde_json::from_str::<Value>(body).map(drop)
    }

    fn gone(&self, life: Life) {
        self.note(format!("{} {} is gone", life.node, life.epoch));
    }

    fn sum_up(&self) -> Value {
        json!(self.notes())
    }

    fn take_up(&self, summary: Value) -> Result<(), String> {
        let heard = serde_json::from_value(summary).map_err(|error| error.to_string())?;
        *self.heard.lock().unwrap() = heard;
        Ok(())
    }

    fn amend(&self) -> Vec<Projection> {
        let hall = self.hall.get().and_then(Weak::upgrade);
        let missing = self.missing.swap(0, Ordering::Relaxed);
        let word = |hall: Arc<Hall>| hall.word(Topic::Lobby, 0, None, &json!("amended"));
        (0..missing).flat_map(|_| hall.clone().map(word)).collect()
    }
}

struct Server {
    hall: Arc<Hall>,
    accounts: Arc<Ear>,
    lobby: Arc<Ear>,
    lifecycle: Lifecycle,
}

impl Server {
    /// A new life of this node, which has not heard anything.
    async fn silent(store: &Arc<MemoryStore>, node: u32) -> Self {
        let lease = store.enlist(NodeId(node), Millis(1)).await.unwrap();
        let (committer, commits) = Committer::new(store.clone(), lease);
        let lifecycle = Lifecycle::new();
        lifecycle.spawn(commits.run());
        let hall = Hall::new(Services {
            store: store.clone(),
            committer,
            lease,
            bus: Arc::new(NoBus),
            lifecycle: lifecycle.clone(),
        });
        let ear = || {
            let ear = Ear::default();
            ear.hall.set(Arc::downgrade(&hall)).unwrap();
            Arc::new(ear)
        };
        let (accounts, lobby) = (ear(), ear());
        Self {
            hall,
            accounts,
            lobby,
            lifecycle,
        }
    }

    async fn start(store: &Arc<MemoryStore>, node: u32) -> Self {
        let server = Self::silent(store, node).await;
        let began = server.hall.begin(&server.accounts, &server.lobby).await;
        began.unwrap();
        server
    }

    fn word(&self, text: &str, settles: Option<&str>) -> Projection {
        let settles = settles.map(str::to_owned);
        self.hall.word(Topic::Lobby, 0, settles, &text)
    }

    async fn say(&self, text: &str, settles: Option<&str>) -> Result<(), CommitError> {
        self.hall.say(self.word(text, settles)).await
    }

    async fn heard(&self) -> Vec<String> {
        self.hall.catch_up().await.unwrap();
        self.lobby.notes()
    }
}

#[tokio::test(start_paused = true)]
async fn all_servers_hear_the_same_in_one_order() {
    let store = Arc::new(MemoryStore::new());
    let (one, two) = (
        Server::start(&store, 2).await,
        Server::start(&store, 3).await,
    );
    for round in 0..20 {
        let key = format!("round {round}");
        let (here, there) = tokio::join!(one.say("x", Some(&key)), two.say("y", Some(&key)));
        assert!(here.is_ok() != there.is_ok(), "{here:?} {there:?}");
    }
    let heard = one.heard().await;
    assert_eq!(heard, two.heard().await);
    let said = heard.iter().filter(|word| word.contains("says"));
    assert_eq!(said.count(), 20);
    let about = one.accounts.notes();
    assert!(about.iter().all(|word| word.contains("gone")), "{about:?}");
}

#[tokio::test(start_paused = true)]
async fn who_comes_late_begins_with_what_was_summed_up() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    let late = Server::silent(&store, 3).await;
    for round in 0..3 {
        one.say(&format!("before {round}"), None).await.unwrap();
        one.hall.sum_up().await.unwrap();
    }
    one.say("after", None).await.unwrap();
    assert_ne!(store.words(Seq(0)).await.unwrap()[0].seq, Seq(1));
    let began = late.hall.begin(&late.accounts, &late.lobby).await;
    began.unwrap();
    assert_eq!(late.heard().await, one.heard().await);
    assert!(one.hall.leads() && !late.hall.leads());
}

#[tokio::test(start_paused = true)]
async fn who_has_missed_words_that_are_forgotten_stops() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    let slow = Server::start(&store, 3).await;
    // Nothing is read meanwhile: time stands still, and nobody looks.
    for _ in 0..3 {
        one.say("said", None).await.unwrap();
        one.hall.sum_up().await.unwrap();
    }
    assert_eq!(slow.hall.catch_up().await, Err(StoreError::Closed));
    assert!(slow.lifecycle.is_draining());
    assert!(!one.lifecycle.is_draining());
}

/// A name that was erased is in no word for long.
#[tokio::test(start_paused = true)]
async fn words_are_forgotten_also_when_nobody_says_anything_more() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    let two = Server::start(&store, 3).await;
    one.say("said", None).await.unwrap();
    one.hall.sum_up().await.unwrap();
    assert_ne!(store.words(Seq(0)).await.unwrap(), []);
    two.hall.catch_up().await.unwrap();
    one.hall.sum_up().await.unwrap();
    assert_eq!(store.words(Seq(0)).await.unwrap(), []);
    // Whoever has heard them goes on.
    two.say("more", None).await.unwrap();
    assert_eq!(one.heard().await, two.heard().await);
}

#[tokio::test(start_paused = true)]
async fn the_dead_are_buried_once_and_say_nothing_that_counts_any_more() {
    let store = Arc::new(MemoryStore::new());
    let (one, two) = (
        Server::start(&store, 2).await,
        Server::start(&store, 3).await,
    );
    two.hall.catch_up().await.unwrap();
    assert!(one.hall.leads() && !two.hall.leads());
    for _ in 0..2 {
        two.hall.bury(one.hall.life()).await.unwrap();
    }
    // It wakes up, and may still write.
    one.say("late", None).await.unwrap();
    assert!(one.lifecycle.is_draining(), "it hears that it is dead");
    let heard = two.heard().await;
    let last = &heard[heard.len() - 2..];
    assert_eq!(last, ["2 1 is gone", "2 says \"late\" after its end"]);
    assert!(two.hall.leads());
    // Its next life is another.
    let again = Server::start(&store, 2).await;
    again.say("back", None).await.unwrap();
    let heard = two.heard().await;
    assert_eq!(heard.last().unwrap(), "2 says \"back\"");
    assert!(again.hall.leads());
}

#[tokio::test(start_paused = true)]
async fn what_nobody_waits_for_is_said_before_the_end() {
    let store = Arc::new(MemoryStore::new());
    let (one, two) = (
        Server::start(&store, 2).await,
        Server::start(&store, 3).await,
    );
    let before = two.heard().await.len();
    one.hall.mutter(one.word("first", Some("a")));
    one.hall.mutter(one.word("again", Some("a")));
    one.hall.mutter(one.word("second", None));
    one.hall.stop().await;
    assert_eq!(
        two.heard().await[before..],
        ["2 says \"first\"", "2 says \"second\"", "2 1 is gone"]
    );
    assert!(!one.lifecycle.is_draining(), "its own end is no reason");
}

#[tokio::test(start_paused = true)]
async fn what_is_missing_is_said_and_what_others_said_is_looked_for() {
    let store = Arc::new(MemoryStore::new());
    let (one, two) = (
        Server::start(&store, 2).await,
        Server::start(&store, 3).await,
    );
    let before = two.heard().await.len();
    one.lobby.missing.store(1, Ordering::Relaxed);
    one.hall.amend_soon();
    // Nobody asks the other server for anything: it looks by itself.
    while two.lobby.notes().len() == before {
        tokio::time::sleep(LOOK_EVERY).await;
    }
    assert_eq!(two.lobby.notes()[before..], ["2 says \"amended\""]);
    // A hint that is true is heeded before that; one that is not costs a look.
    let begun = two.hall.reads.load(Ordering::Relaxed);
    for _ in 0..50 {
        two.hall.hint(Seq(u64::MAX));
        tokio::task::yield_now().await;
    }
    assert!(two.hall.reads.load(Ordering::Relaxed) <= begun + 1);
    tokio::time::sleep(HEEDLESS).await;
    one.say("news", None).await.unwrap();
    let began = Instant::now();
    two.hall.hint(Seq(one.hall.heard.load(Ordering::Relaxed)));
    while !two.lobby.notes().contains(&"2 says \"news\"".to_owned()) {
        tokio::task::yield_now().await;
    }
    assert_eq!(began.elapsed(), Duration::ZERO);
}

/// A hint says nothing about this server, so nothing is compared for it, however many come.
#[tokio::test(start_paused = true)]
async fn hints_make_no_server_say_what_is_missing() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    one.lobby.missing.store(1, Ordering::Relaxed);
    for _ in 0..50 {
        one.hall.hint(Seq(u64::MAX));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(one.lobby.missing.load(Ordering::Relaxed), 1);
    one.hall.amend_soon();
    tokio::time::sleep(Duration::from_millis(1)).await;
    assert_eq!(one.lobby.missing.load(Ordering::Relaxed), 0);
}

#[tokio::test(start_paused = true)]
async fn who_does_not_understand_a_word_sums_nothing_up() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    let summary = async || store.word_summary().await.unwrap().map(|sum| sum.upto);
    one.say("a word", None).await.unwrap();
    one.hall.sum_up().await.unwrap();
    let before = summary().await;
    assert!(before.is_some());
    let strange = Projection::Word(Word {
        settles: None,
        heard: Seq(one.hall.heard.load(Ordering::Relaxed)),
        body: Bytes::from_static(b"{\"of a newer version\":1}"),
    });
    one.hall.say(strange).await.unwrap();
    one.hall.sum_up().await.unwrap();
    assert_eq!(summary().await, before);
    // What cannot be taken up is a reason not to start.
    let spoilt = WordSummary {
        upto: Seq(one.hall.heard.load(Ordering::Relaxed)),
        body: Bytes::from_static(
            b"{\"roll\":{\"living\":{},\"gone\":{}},\"accounts\":1,\"lobby\":1}",
        ),
    };
    let commit = Commit::default().with(Projection::SumUp(spoilt));
    one.hall.services.committer.commit(commit).await.unwrap();
    let two = Server::silent(&store, 3).await;
    let began = two.hall.begin(&two.accounts, &two.lobby).await;
    assert!(
        matches!(began, Err(StoreError::Corrupt { .. })),
        "{began:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn each_server_does_its_share() {
    let store = Arc::new(MemoryStore::new());
    let one = Server::start(&store, 2).await;
    assert!((0..9).all(|number| one.hall.shares(number)), "it is alone");
    let two = Server::start(&store, 3).await;
    one.heard().await;
    for number in 0..9 {
        assert_ne!(one.hall.shares(number), two.hall.shares(number));
    }
    two.hall.bury(one.hall.life()).await.unwrap();
    assert!((0..9).all(|number| two.hall.shares(number)));
}

#[tokio::test(start_paused = true)]
async fn one_read_answers_all_who_asked_before_it() {
    let store = Arc::new(MemoryStore::new());
    let (one, two) = (
        Server::start(&store, 2).await,
        Server::start(&store, 3).await,
    );
    let reads = || two.hall.reads.load(Ordering::Relaxed);
    let crowd = || {
        let hall = two.hall.clone();
        join_all((0..50).map(move |_| {
            let hall = hall.clone();
            async move { hall.catch_up().await }
        }))
    };
    // Somebody reads when the others ask: what they wait for is the next read.
    let reading = two.hall.progress.lock().await;
    let mut asking = Box::pin(crowd());
    assert!(futures::poll!(&mut asking).is_pending());
    one.say("news", None).await.unwrap();
    let before = reads();
    drop(reading);
    assert!(asking.await.iter().all(Result::is_ok));
    assert_eq!(reads(), before + 1);
    assert!(two.lobby.notes().contains(&"2 says \"news\"".to_owned()));
    // It fails: all hear so.
    store.close().await;
    let reading = two.hall.progress.lock().await;
    let mut asking = Box::pin(crowd());
    assert!(futures::poll!(&mut asking).is_pending());
    let before = reads();
    drop(reading);
    let closed = Err(StoreError::Closed);
    assert!(asking.await.iter().all(|heard| *heard == closed));
    assert_eq!(reads(), before + 1);
}
