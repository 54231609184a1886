use super::super::cross_table::{Colour, Entry, HalfPoints};
use super::super::tie_break::Edition;
use super::*;

const WIN: HalfPoints = HalfPoints(2);

/// A table from one word an entry: `2w1` is White against 2, won; `=` drawn, `0` lost; `2+` and `2-` forfeits; `U F H Z`.
pub(super) fn table(rows: &[&str]) -> CrossTable {
    let entry = |word: &str| match word {
        "U" => Entry::PairingBye,
        "F" => Entry::FullBye,
        "H" => Entry::HalfBye,
        "Z" => Entry::ZeroBye,
        _ => {
            let end = word.find(|c: char| !c.is_ascii_digit()).expect("a result");
            let opponent = word[..end].parse().expect("a number");
            let colour = match &word[end..=end] {
                "w" => Colour::White,
                "b" => Colour::Black,
                sign => {
                    return Entry::Forfeit {
                        opponent,
                        colour: None,
                        won: sign == "+",
                    };
                }
            };
            let score = match &word[end + 1..] {
                "1" => 2,
                "=" => 1,
                _ => 0,
            };
            Entry::Played {
                opponent,
                colour,
                score: HalfPoints(score),
            }
        }
    };
    let rows = rows
        .iter()
        .map(|row| row.split(' ').map(entry).collect())
        .collect();
    CrossTable::from_rows(rows, WIN).expect("a table")
}

fn values(table: &CrossTable, tie_break: TieBreak, rules: TieBreakRules) -> Vec<f64> {
    let mut rows = standings(table, &[tie_break], rules);
    rows.sort_by_key(|row| row.player);
    rows.iter().map(|row| row.values[0].to_f64()).collect()
}

fn swiss(table: &CrossTable, tie_break: TieBreak) -> Vec<f64> {
    values(table, tie_break, TieBreakRules::default())
}

fn ranks(table: &CrossTable, tie_breaks: &str) -> Vec<(u32, u32)> {
    let tie_breaks: Vec<TieBreak> = tie_breaks
        .split(',')
        .map(|text| text.parse().expect("a tie-break"))
        .collect();
    let rows = standings(table, &tie_breaks, TieBreakRules::default());
    rows.iter().map(|row| (row.player, row.rank)).collect()
}

/// Four players, everybody met: 1 has 2.5, 2 has 2, 3 has 1, 4 has 0.5.
fn all_met() -> CrossTable {
    table(&["4w1 3b1 2w=", "3w1 4b= 1b=", "2b0 1w0 4b1", "1b0 2w= 3w0"])
}

#[test]
fn a_round_robin_by_hand() {
    let table = all_met();
    assert_eq!(swiss(&table, TieBreak::Points), [2.5, 2.0, 1.0, 0.5]);
    assert_eq!(swiss(&table, TieBreak::Buchholz), [3.5, 4.0, 5.0, 5.5]);
    assert_eq!(swiss(&table, TieBreak::BuchholzCut1), [3.0, 3.5, 4.5, 4.5]);
    assert_eq!(
        swiss(&table, TieBreak::BuchholzMedian1),
        [1.0, 1.0, 2.0, 2.0]
    );
    assert_eq!(
        swiss(&table, TieBreak::SonnebornBerger),
        [0.5 + 1.0 + 1.0, 1.0 + 0.25 + 1.25, 0.5, 1.0]
    );
    assert_eq!(swiss(&table, TieBreak::Wins), [2.0, 1.0, 1.0, 0.0]);
    assert_eq!(swiss(&table, TieBreak::Progressive), [5.5, 4.5, 1.0, 1.0]);
    // Half of 3 points are 1.5: players 1 and 2 have them.
    assert_eq!(swiss(&table, TieBreak::Koya), [0.5, 0.5, 0.0, 0.5]);
}

#[test]
fn a_pairing_bye_counts_a_dummy() {
    // Player 5 has the bye in round 1 and loses; its own points are 1.
    let table = table(&["3w1 2b1", "4b1 1w0", "1b0 5w1", "2w0 U", "U 3b0"]);
    assert_eq!(swiss(&table, TieBreak::Points), [2.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(swiss(&table, TieBreak::Buchholz), [2.0, 3.0, 3.0, 2.0, 2.0]);
    assert_eq!(
        swiss(&table, TieBreak::SonnebornBerger),
        [2.0, 1.0, 1.0, 1.0, 1.0]
    );
    assert_eq!(swiss(&table, TieBreak::Wins)[4], 1.0);
    assert_eq!(swiss(&table, TieBreak::GamesWon)[4], 0.0);
}

#[test]
fn byes_at_the_end_count_as_draws_for_opponents() {
    // Player 2 loses, then withdraws; player 1's opponents count 2 * 1/2 for it.
    let table = table(&["2w1 3b1 4w1", "1b0 Z Z", "4w1 1w0 U", "3b0 U 1b0"]);
    assert_eq!(swiss(&table, TieBreak::Points), [3.0, 0.0, 2.0, 1.0]);
    assert_eq!(swiss(&table, TieBreak::Buchholz)[0], 1.0 + 2.0 + 1.0);
    // Its own unplayed rounds count its own points, 0: cut first although all are 0 here.
    assert_eq!(swiss(&table, TieBreak::Buchholz)[1], 3.0);
    assert_eq!(swiss(&table, TieBreak::BuchholzCut1)[1], 3.0);
}

/// The two editions differ on a player whose points are more than a draw in every round.
#[test]
fn the_dummy_is_capped_since_2026() {
    let rules = |edition| TieBreakRules {
        edition,
        predetermined: false,
    };
    let capped = table(&["2w1 3b1 H", "1b0 4w1 3w1", "4b1 1w0 2b0", "3w0 2b0 U"]);
    let of_2024 = values(&capped, TieBreak::Buchholz, rules(Edition::August2024));
    let of_2026 = values(&capped, TieBreak::Buchholz, rules(Edition::March2026));
    // Player 1 has 2.5 points; the dummy of the half-point bye is capped at 3 * 1/2.
    assert_eq!((of_2024[0], of_2026[0]), (2.0 + 1.0 + 2.5, 2.0 + 1.0 + 1.5));
    // A forfeit win is capped at the points of the scheduled opponent.
    let forfeit = table(&["2w1 3+", "1b0 4w1", "4b1 1-", "3w0 2b0"]);
    let of_2024 = values(&forfeit, TieBreak::Buchholz, rules(Edition::August2024));
    let of_2026 = values(&forfeit, TieBreak::Buchholz, rules(Edition::March2026));
    assert_eq!((of_2024[0], of_2026[0]), (3.0, 2.0));
}

#[test]
fn the_cut_takes_a_voluntarily_unplayed_round_first() {
    // Player 1 lost a forfeit against 2 (own points 2) and played 3 (1 point) and 4 (0 points).
    let table = table(&["2- 3w1 4b1", "1+ 4w1 3b1", "4w1 1b0 2w0", "3b0 2b0 1w0"]);
    assert_eq!(swiss(&table, TieBreak::Buchholz)[0], 2.0 + 1.0 + 0.0);
    assert_eq!(swiss(&table, TieBreak::BuchholzCut1)[0], 1.0);
    assert_eq!(swiss(&table, TieBreak::BuchholzMedian1)[0], 0.0);
}

#[test]
fn direct_encounter_ranks_those_who_met() {
    // 1 beat 2, 2 beat 3, 3 beat 4, 4 beat 1, 1 beat 3, 2 and 4 drew.
    let table = table(&["2w1 4b0 3w1", "1b0 3w1 4b=", "4w1 2b0 1b0", "3b0 1w1 2w="]);
    assert_eq!(swiss(&table, TieBreak::Points), [2.0, 1.5, 1.0, 1.5]);
    assert_eq!(ranks(&table, "PTS,DE"), [(1, 1), (2, 2), (4, 2), (3, 4)]);
    // Both won one game over the board; player 2 had its points later: 0, 1, 1.5 against 0, 1, 1.5 of player 4.
    let all = ranks(&table, "PTS,DE,WON,PS");
    assert_eq!(all, [(1, 1), (2, 2), (4, 2), (3, 4)]);
}

#[test]
fn direct_encounter_of_some_who_did_not_meet() {
    // 1, 2 and 3 have 2 points each; 1 beat 2 and 3, who did not meet: 1 is alone on top whatever their game brings.
    let table = table(&[
        "2w1 3b1 4w0 5b0",
        "1b0 4w1 5w1 6b0",
        "6w1 1w0 U 4b0",
        "5w0 2b0 1b1 3w1",
        "4b1 6w0 2b0 1w1",
        "3b0 5b1 U 2w1",
    ]);
    let points = swiss(&table, TieBreak::Points);
    assert_eq!(points, [2.0, 2.0, 2.0, 2.0, 2.0, 3.0]);
    let order = ranks(&table, "PTS,DE");
    assert_eq!(order[0], (6, 1));
    let group = |players: &[u32]| {
        super::super::tie_break::direct_encounter(&table, players, TieBreakRules::default()).0
    };
    assert_eq!(group(&[1, 2, 3]), [vec![1], vec![2, 3]]);
    assert_eq!(group(&[2, 3]), [vec![2, 3]]);
}

#[test]
fn acronyms_read_back() {
    for (tie_break, acronym) in TieBreak::ALL {
        assert_eq!(acronym.parse(), Ok(tie_break));
        assert_eq!(
            acronym.to_lowercase().replace('-', "/").parse(),
            Ok(tie_break)
        );
    }
    let error = "BHC1".parse::<TieBreak>().expect_err("unknown");
    assert!(error.to_string().contains("'BHC1'"));
    assert!(
        standings(
            &CrossTable::new(0, WIN),
            &TieBreak::SWISS,
            TieBreakRules::default()
        )
        .is_empty()
    );
}
