//! The law of words, on the backends that several servers can share.

use bytes::Bytes;
use grundy_server::store::{
    Commit, CommitError, LOAD_PAGE, NodeId, Projection, StoreError, Unique, Word, WordSummary,
};
use grundy_shared::ids::{Millis, Seq};
use tokio::task::JoinSet;

use crate::desk::{Desk, bodies, id, new_match, on_every_backend};

fn word(text: &str, settles: Option<&str>, heard: u64) -> Projection {
    Projection::Word(Word {
        settles: settles.map(str::to_owned),
        heard: Seq(heard),
        body: Bytes::from(text.to_owned()),
    })
}

pub(crate) fn say(text: &str, settles: Option<&str>, heard: u64) -> Commit {
    Commit::default().with(word(text, settles, heard))
}

fn sum_up(upto: u64, text: &str) -> Commit {
    Commit::default().with(Projection::SumUp(WordSummary {
        upto: Seq(upto),
        body: Bytes::from(text.to_owned()),
    }))
}

async fn heard(desk: &Desk, after: u64) -> Vec<(u64, String)> {
    let words = desk.store.words(Seq(after)).await.unwrap();
    let text = |body: &Bytes| String::from_utf8(body.to_vec()).unwrap();
    let words = words.iter().map(|word| (word.seq.0, text(&word.body)));
    words.collect()
}

/// Whether the store takes words; one that does not says so, and changes nothing.
async fn takes_words(desk: &Desk) -> bool {
    let said = desk.commit(say("{}", None, 0)).await;
    let refused = CommitError::Store(StoreError::Unusable {
        path: "the database".into(),
        why: "a database that one server has for itself takes no words".to_owned(),
    });
    match said {
        Ok(()) => true,
        Err(error) => {
            assert_eq!(error, refused);
            let with_match = new_match(1).with(word("{}", None, 0));
            assert_eq!(desk.commit(with_match).await, Err(refused));
            assert_eq!(desk.length(id(1)).await, 0);
            assert_eq!(heard(desk, 0).await, []);
            assert_eq!(desk.store.word_summary().await, Ok(None));
            false
        }
    }
}

fn taken() -> Result<(), CommitError> {
    Err(CommitError::Taken(Unique::Word))
}

#[test]
fn law_21_words_are_numbered_and_settle_once() {
    on_every_backend(|desk| async move {
        if !takes_words(&desk).await {
            return;
        }
        desk.commit(say("\"a\"", Some("x"), 1)).await.unwrap();
        assert_eq!(desk.commit(say("\"b\"", Some("x"), 2)).await, taken());
        // The match that would settle it again is not made, and the others of the batch are.
        let batch = vec![
            new_match(1).with(word("\"c\"", Some("x"), 2)),
            new_match(2).with(word("\"d\"", Some("y"), 2)),
            say("\"e\"", Some("y"), 2),
            say("\"f\"", None, 2),
        ];
        let outcomes = desk.store.commit(desk.lease, batch).await;
        assert_eq!(outcomes, [taken(), Ok(()), taken(), Ok(())]);
        let twice = say("1", Some("z"), 4).with(word("2", Some("z"), 4));
        assert_eq!(desk.commit(twice).await, taken());
        assert_eq!(desk.length(id(1)).await, 0);
        assert_eq!(desk.length(id(2)).await, 1);
        // A commit that is refused for something else says nothing.
        let conflict = new_match(2).with(word("\"g\"", Some("g"), 4));
        assert!(desk.commit(conflict).await.is_err());
        desk.commit(say("\"h\"", Some("g"), 4)).await.unwrap();
        let words = heard(&desk, 0).await;
        let texts = ["{}", "\"a\"", "\"d\"", "\"f\"", "\"h\""];
        let expected: Vec<_> = (1..).zip(texts.map(str::to_owned)).collect();
        assert_eq!(words, expected);
        assert_eq!(heard(&desk, 3).await, expected[3..]);
        assert_eq!(heard(&desk, 9).await, []);
    });
}

#[test]
fn law_21_what_is_summed_up_is_forgotten_one_summary_later() {
    on_every_backend(|desk| async move {
        if !takes_words(&desk).await {
            return;
        }
        for (number, key) in (2..=6).zip(["b", "c", "d", "e", "f"]) {
            desk.commit(say(&number.to_string(), Some(key), number))
                .await
                .unwrap();
        }
        assert_eq!(desk.store.word_summary().await, Ok(None));
        desk.commit(sum_up(3, "\"to 3\"")).await.unwrap();
        assert_eq!(heard(&desk, 0).await.len(), 6, "nothing is forgotten yet");
        desk.commit(sum_up(5, "\"to 5\"")).await.unwrap();
        // An older one changes nothing.
        desk.commit(sum_up(4, "\"to 4\"")).await.unwrap();
        let summary = desk.store.word_summary().await.unwrap().unwrap();
        assert_eq!(
            (summary.upto, &summary.body[..]),
            (Seq(5), &b"\"to 5\""[..])
        );
        let left: Vec<u64> = heard(&desk, 0).await.iter().map(|word| word.0).collect();
        assert_eq!(left, [4, 5, 6]);
        // What was settled by a word that is kept stays settled; of one that is forgotten only who has heard it can say anything.
        assert_eq!(desk.commit(say("7", Some("e"), 6)).await, taken());
        assert_eq!(desk.commit(say("7", Some("c"), 2)).await, taken());
        assert_eq!(desk.commit(say("7", Some("g"), 2)).await, taken());
        desk.commit(say("7", Some("g"), 3)).await.unwrap();
        desk.commit(say("8", None, 0)).await.unwrap();
        desk.commit(sum_up(8, "\"to 8\"")).await.unwrap();
        desk.commit(sum_up(9, "\"to 9\"")).await.unwrap();
        assert_eq!(heard(&desk, 0).await, []);
        desk.commit(say("10", None, 0)).await.unwrap();
        assert_eq!(heard(&desk, 8).await, [(10, "10".to_owned())]);
        // Only what the newest summary has is forgotten with it.
        let forget = |upto| Commit::default().with(Projection::ForgetWords(Seq(upto)));
        desk.commit(forget(10)).await.unwrap();
        assert_eq!(heard(&desk, 8).await.len(), 1);
        desk.commit(sum_up(10, "\"to 10\"")).await.unwrap();
        assert_eq!(heard(&desk, 8).await.len(), 1);
        desk.commit(forget(10)).await.unwrap();
        assert_eq!(heard(&desk, 8).await, []);
        assert_eq!(desk.commit(say("11", Some("h"), 9)).await, taken());
        desk.commit(say("11", Some("h"), 10)).await.unwrap();
        assert_eq!(heard(&desk, 10).await, [(11, "11".to_owned())]);
    });
}

#[test]
fn law_21_of_rivals_on_several_nodes_one_settles_and_none_is_missed() {
    on_every_backend(|desk| async move {
        if !takes_words(&desk).await {
            return;
        }
        let mut rivals = JoinSet::new();
        for node in 2..5 {
            let store = desk.store.clone();
            rivals.spawn(async move {
                let lease = store.enlist(NodeId(node), Millis(1)).await.unwrap();
                let mut won = 0;
                for round in 0..30 {
                    let key = format!("round {round}");
                    let says = say(&node.to_string(), Some(&key), 1);
                    let outcomes = store.commit(lease, vec![says]).await;
                    won += u64::from(outcomes == [Ok(())]);
                }
                won
            });
        }
        // A reader that goes on from what it has read misses nothing.
        let (mut at, mut read) = (1, 0);
        let mut won = 0;
        while !rivals.is_empty() {
            let done = tokio::time::timeout(std::time::Duration::ZERO, rivals.join_next()).await;
            if let Ok(Some(count)) = done {
                won += count.unwrap();
            }
            for (number, _) in heard(&desk, at).await {
                assert_eq!(number, at + 1);
                (at, read) = (number, read + 1);
            }
        }
        read += heard(&desk, at).await.len();
        assert_eq!((won, read), (30, 30));
    });
}

#[test]
fn law_21_pages_of_words_are_bounded_and_join() {
    on_every_backend(|desk| async move {
        if !takes_words(&desk).await {
            return;
        }
        let many = (0..LOAD_PAGE + 5).map(|_| say("{}", None, 0)).collect();
        desk.store.commit(desk.lease, many).await;
        assert_eq!(heard(&desk, 0).await.len(), LOAD_PAGE);
        assert_eq!(heard(&desk, LOAD_PAGE as u64).await.len(), 6);
        // Words are no log, and take the number of none.
        assert_eq!(desk.append(id(9), 0, bodies([1])).await, Ok(()));
    });
}
