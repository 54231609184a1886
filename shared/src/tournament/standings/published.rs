//! Exercises with published answers: M. Held, "Exercises in Tie-Breaking" (FIDE Arbiters' Commission, arbiters.fide.com/news/9119, revision
//! 2403220900). Their tournaments, and every answer about a tie-break that is known here. The answers under the rules of 2026 are those of FIDE's
//! tie-break server.

use super::super::tie_break::Edition;
use super::tests::table;
use super::*;

/// The Swiss tournament of 9 rounds; that of 5 rounds is its beginning, but for one result: 2 and 3 drew in round 5.
const SWISS: [&str; 16] = [
    "9w1 13b= 2w= 15b1 4w= 6b= 3b= 16w= 8b1",
    "10b1 7w1 1b= 16w1 3b1 4w= 6w0 15b= 5w=",
    "11w= 6b1 8w1 4b= 2w0 16b1 1w= 14w1 10b1",
    "12b1 H 13w1 3w= 1b= 2b= 16w= 6b= 15w1",
    "13w0 15b0 11w1 7b= 10w1 14b0 9b1 8w0 2b=",
    "14b0 3w0 U 10w1 8b1 1w= 2b1 4w= 16b1",
    "15w1 2b0 16b0 5w= 11b0 10b0 13w1 9w1 14b1",
    "16b= 14w1 3b0 13w1 6w0 11b= 15w= 5b1 1w0",
    "1b0 10w0 H 11- U 13b1 5w0 7b0 12w=",
    "2w0 9b1 15w0 6b0 5b0 7w1 12b1 11w1 3w0",
    "3b= 16w0 5b0 9+ 7w1 8w= 14b0 10b0 13w=",
    "4w0 U 14+ Z Z 15b0 10w0 13b= 9b=",
    "5b1 1w= 4b0 8b0 14w0 9w0 7b0 12w= 11b=",
    "6w1 8b0 12- Z 13b1 5w1 11w1 3b0 7w0",
    "7b0 5w1 10b1 1w0 16b0 12w1 8b= 2w= 4b0",
    "8w= 11b1 7w1 2b0 15w1 3w0 4b= 1b= 6w0",
];

/// The round robin.
const ROUND_ROBIN: [&str; 6] = [
    "5w= 2w1 3b1 4w0 6b1",
    "6w1 1b0 5w1 3w= 4b1",
    "4w1 6b1 1w0 2b= 5w1",
    "3b0 5b0 6w= 1b1 2w0",
    "1b= 4w1 2b0 6- 3b0",
    "2b0 3w0 4b= 5+ 1w0",
];

fn five_rounds() -> CrossTable {
    let rows: Vec<String> = SWISS
        .iter()
        .map(|row| row.split(' ').take(5).collect::<Vec<_>>().join(" "))
        .map(|row| {
            row.replace("16w1 3b1", "16w1 3b=")
                .replace("4b= 2w0", "4b= 2w=")
        })
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    table(&rows)
}

fn answers(
    table: &CrossTable,
    tie_break: TieBreak,
    edition: Edition,
    predetermined: bool,
) -> Vec<f64> {
    let rules = TieBreakRules {
        edition,
        predetermined,
    };
    let mut rows = standings(table, &[tie_break], rules);
    rows.sort_by_key(|row| row.player);
    rows.iter().map(|row| row.values[0].to_f64()).collect()
}

fn direct_encounter_ranks(table: &CrossTable, predetermined: bool) -> Vec<u32> {
    let rules = TieBreakRules {
        edition: Edition::August2024,
        predetermined,
    };
    let order = [TieBreak::Points, TieBreak::DirectEncounter];
    let mut rows = standings(table, &order, rules);
    rows.sort_by_key(|row| row.player);
    rows.iter().map(|row| row.rank).collect()
}

#[test]
fn exercises_1_to_8_buchholz() {
    let table = five_rounds();
    let edition = Edition::August2024;
    assert_eq!(
        answers(&table, TieBreak::Buchholz, edition, false),
        [
            12.5, 13.0, 15.5, 15.0, 8.5, 12.0, 14.5, 13.5, 9.0, 13.0, 13.5, 11.5, 14.0, 11.0, 12.0,
            12.5
        ]
    );
    assert_eq!(
        answers(&table, TieBreak::BuchholzCut1, edition, false),
        [
            11.0, 12.0, 13.0, 11.5, 7.5, 11.0, 12.5, 12.0, 7.5, 11.5, 12.0, 9.5, 12.0, 9.0, 11.0,
            11.0
        ]
    );
}

#[test]
fn exercises_11_12_and_14_sonneborn_berger() {
    let edition = Edition::August2024;
    assert_eq!(
        answers(&five_rounds(), TieBreak::SonnebornBerger, edition, false),
        [
            8.0, 9.5, 10.5, 9.75, 4.25, 6.5, 3.25, 5.25, 2.25, 1.5, 5.75, 4.0, 4.25, 4.5, 3.5, 7.25
        ]
    );
    assert_eq!(
        answers(
            &table(&ROUND_ROBIN),
            TieBreak::SonnebornBerger,
            edition,
            true
        ),
        [9.25, 6.25, 6.25, 4.25, 3.25, 2.25]
    );
}

#[test]
fn exercise_16_koya() {
    assert_eq!(
        answers(
            &table(&ROUND_ROBIN),
            TieBreak::Koya,
            Edition::August2024,
            true
        ),
        [2.0, 0.5, 0.5, 1.0, 0.5, 0.0]
    );
}

#[test]
fn exercises_23_to_26_direct_encounter() {
    let five = direct_encounter_ranks(&five_rounds(), false);
    for player in [1, 3, 4, 16] {
        assert_eq!(five[player - 1], 2, "player {player}");
    }
    for player in [5, 8, 11] {
        assert_eq!(five[player - 1], 7, "player {player}");
    }
    assert_eq!(
        direct_encounter_ranks(&table(&SWISS), false),
        [3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6]
    );
    assert_eq!(
        direct_encounter_ranks(&table(&ROUND_ROBIN), true),
        [1, 2, 2, 6, 5, 4]
    );
}

#[test]
fn exercises_27_28_and_32_wins_and_progress() {
    let table = five_rounds();
    let edition = Edition::August2024;
    assert_eq!(
        answers(&table, TieBreak::Wins, edition, false),
        [
            2.0, 3.0, 2.0, 2.0, 2.0, 3.0, 1.0, 2.0, 1.0, 1.0, 2.0, 2.0, 1.0, 2.0, 2.0, 3.0
        ]
    );
    assert_eq!(
        answers(&table, TieBreak::GamesWon, edition, false),
        [
            2.0, 3.0, 2.0, 2.0, 2.0, 2.0, 1.0, 2.0, 0.0, 1.0, 1.0, 0.0, 1.0, 2.0, 2.0, 3.0
        ]
    );
    assert_eq!(
        answers(&table, TieBreak::Progressive, edition, false),
        [
            11.0, 13.0, 11.0, 11.5, 5.0, 6.0, 6.0, 8.5, 2.5, 4.0, 5.5, 7.0, 7.0, 6.0, 7.0, 10.5
        ]
    );
}

#[test]
fn the_answers_that_changed_in_2026() {
    let table = five_rounds();
    let of = |tie_break| answers(&table, tie_break, Edition::March2026, false);
    let before = |tie_break| answers(&table, tie_break, Edition::August2024, false);
    let changed = |tie_break, new: &[(usize, f64)]| {
        let mut expected = before(tie_break);
        for (player, value) in new {
            expected[player - 1] = *value;
        }
        expected
    };
    assert_eq!(
        of(TieBreak::SonnebornBerger),
        changed(
            TieBreak::SonnebornBerger,
            &[(4, 9.25), (6, 6.0), (11, 4.75)]
        )
    );
    let buchholz = of(TieBreak::Buchholz);
    let of_players = |values: &[f64], players: &[usize]| -> Vec<f64> {
        players.iter().map(|player| values[player - 1]).collect()
    };
    assert_eq!(of_players(&buchholz, &[5, 8, 11]), [8.5, 13.5, 12.5]);
    assert_eq!(
        of_players(&buchholz, &[1, 3, 4, 16]),
        [12.5, 15.5, 14.0, 12.5]
    );
    let cut = of(TieBreak::BuchholzCut1);
    assert_eq!(of_players(&cut, &[5, 8, 11]), [7.5, 12.0, 11.0]);
}
