//! Any bytes as a record or as the export of a tournament. Lines of events without a header are played as the log of a match, because no
//! mutation finds the hash chain of its own events. What is lawful is written and read back equal.

use grundy_shared::event::Event;
use grundy_shared::export;
use grundy_shared::ids::MatchId;
use grundy_shared::record::Record;

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    if let Ok(record) = Record::read(bytes) {
        assert!(record.to_bytes() == bytes, "two records of one match");
    }
    let _ = export::verify(bytes);
    let text = String::from_utf8_lossy(bytes);
    let events: Result<Vec<Event>, _> = text.lines().map(serde_json::from_str).collect();
    let Ok(events) = events else {
        return;
    };
    if let Ok(record) = Record::new(MatchId::from_random(7), events) {
        let _ = record.to_text(&[]);
        let again = Record::read(&record.to_bytes());
        assert_eq!(again.as_ref(), Ok(&record));
    }
}
