//! Published test data: what `solve` must say of these positions.

use grundy_shared::Position;
use grundy_shared::ids::Seat;
use grundy_shared::solver::{Budget, solve};
use serde_json::Value;

#[test]
fn every_published_position_is_solved_as_published() {
    let rows = include_str!("../data/examples.ndjson");
    let mut checked = 0;
    for row in rows.lines() {
        let expected: Value = serde_json::from_str(row).expect("each row is an object");
        let text = expected["position"]
            .as_str()
            .expect("each row has a position");
        let position = Position::parse(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        let solution = solve(&position, Seat::First, &Budget::nodes(1 << 30), 1000);
        let got = serde_json::to_value(&solution).expect("a solution is JSON");
        for (field, value) in expected.as_object().expect("each row is an object") {
            assert_eq!(&got[field], value, "{field} of {text}");
        }
        checked += 1;
    }
    assert!(checked >= 110, "{checked} rows");
}
