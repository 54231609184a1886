//! The example record of `docs/RECORDS.md` is one, and its text export is the one shown.

use std::path::Path;

use grundy_shared::record::Record;
use grundy_shared::review::Review;
use grundy_shared::solver::Budget;

fn block<'p>(page: &'p str, language: &str) -> &'p str {
    let (_, rest) = page
        .split_once(&format!("```{language}\n"))
        .expect("the page has this block");
    rest.split_once("```").expect("the block ends").0
}

#[test]
fn the_example_record_reads_and_prints_as_shown() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/RECORDS.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let record = Record::read(block(&page, "ndjson").as_bytes()).expect("a record");
    let review = Review::of(record.referee(), &Budget::nodes(100_000));
    assert_eq!(record.to_text(&review.marks()), block(&page, "text"));
}
