//! Odds: the published figures, and plain recursion on random positions of every game.

use std::collections::HashMap;

use crate::drawing::{Chance as Draw, random_component};
use crate::laws::any_seed;
use grundy_shared::Position;
use grundy_shared::game::Kind;
use grundy_shared::games::REGISTRY;
use grundy_shared::ids::Seat;
use grundy_shared::odds::{Chance, Fair, Family, NotComputed, Player, Table};

fn player(text: &str) -> Player {
    text.parse().expect("a player")
}

fn first_wins(start: &str, players: [&str; 2]) -> Chance {
    let start = Position::parse(start).expect("a position");
    let mut table = Table::new(player(players[0]), player(players[1]));
    table.first_wins(&start).expect("small enough")
}

/// Written down exactly.
fn exact(start: &str, players: [&str; 2]) -> String {
    let chance = first_wins(start, players);
    chance.exact.expect("few digits").to_string()
}

#[test]
fn the_known_odds_of_nim() {
    let lucky = ["best", "random"];
    assert_eq!(exact("nim:3,5,6", lucky), "135134/135135");
    assert_eq!(exact("nim:1,2,3", lucky), "14/15");
    assert_eq!(exact("nim:1,1,1,1", lucky), "0");
    assert_eq!(exact("nim:1,3,5,7", lucky), "675674/675675");
    for (start, players, expected) in [
        ("nim:3,5,7", ["0.5", "0.5"], 0.5064),
        ("nim:3,5,7", ["0.5", "perfect"], 0.1668),
        ("nim:2,2,6", ["0.5", "0.75"], 0.4985),
        ("nim:2,6,6", ["0.75", "perfect"], 0.4988),
        ("nim:3,3", ["0.9", "0.9"], 0.088),
        ("nim:1,1,1,3", ["0.9", "0.9"], 0.922),
    ] {
        let value = first_wins(start, players).value;
        // Two of them are given with three digits only.
        assert!((value - expected).abs() <= 5e-4, "{start}: {value}");
    }
}

/// In a lost Nim position of two or three heaps with n stones the best player who moves first loses to a random one with
/// probability 1/((n-1)(n-3)...1).
#[test]
fn a_random_player_keeps_a_won_nim_position_rarely() {
    let mut table = Table::new(player("best"), player("random"));
    let mut checked = 0;
    for a in 0..=7u64 {
        for b in a..=7 {
            let c = a ^ b;
            if c < b || c > 7 || b == 0 {
                continue;
            }
            let start = Position::parse(&format!("nim:{a},{b},{c}")).expect("a position");
            let stones = a + b + c;
            let under: u128 = (1..stones).step_by(2).map(u128::from).product();
            let odds = table.first_wins(&start).expect("small enough");
            let lost = odds.rest().exact.expect("few digits").to_string();
            let expected = if under == 1 {
                "1".to_owned()
            } else {
                format!("1/{under}")
            };
            assert_eq!(lost, expected, "{start}");
            checked += 1;
        }
    }
    assert!(checked >= 14, "{checked}");
}

/// What the model says, without tables of the crate: for the positions it meets, by text, who wins with best play and how likely the first
/// seat wins.
struct Plain {
    skills: [f64; 2],
    gives_away: [bool; 2],
    known: HashMap<(String, Seat), (bool, f64)>,
}

impl Plain {
    /// `None` where more than so many positions are met.
    fn odds(&mut self, position: &Position, seat: Seat, most: usize) -> Option<(bool, f64)> {
        let key = (position.to_string(), seat);
        if let Some(known) = self.known.get(&key) {
            return Some(*known);
        }
        if self.known.len() >= most {
            return None;
        }
        let (mut all, mut wins, mut slips) = (Vec::new(), Vec::new(), Vec::new());
        for mv in position.moves(seat) {
            let (won, first) = self.odds(&position.play(&mv), seat.other(), most)?;
            all.push(first);
            if won { &mut slips } else { &mut wins }.push(first);
        }
        let place = usize::from(seat == Seat::Second);
        let mean = |list: &[f64]| list.iter().sum::<f64>() / list.len() as f64;
        let found = if all.is_empty() {
            let misere = position.end_rule().is_misere();
            (misere, f64::from(u8::from(misere == (seat == Seat::First))))
        } else if wins.is_empty() || slips.is_empty() {
            (!wins.is_empty(), mean(&all))
        } else {
            let rest = if self.gives_away[place] { &slips } else { &all };
            let skill = self.skills[place];
            (true, skill * mean(&wins) + (1.0 - skill) * mean(rest))
        };
        self.known.insert(key, found);
        Some(found)
    }
}

#[test]
fn odds_agree_with_plain_recursion_on_every_game() {
    let seed = any_seed().max(1);
    let mut draw = Draw(seed);
    for info in REGISTRY {
        let mut compared = 0;
        for turn in 0..60 {
            let Some(text) = random_component(info, &mut draw, 6) else {
                continue;
            };
            let end = if turn % 2 == 0 { "" } else { "@misere" };
            let Ok(start) = Position::parse(&format!("{text}{end}")) else {
                continue;
            };
            let gives_away = turn % 3 == 0;
            let skills = [0.3, 0.85];
            let names = match gives_away {
                true => ["skill:0.3", "0.85"],
                false => ["0.3", "0.85"],
            };
            let mut table = Table::new(player(names[0]), player(names[1]));
            if start.kind() == Kind::Loopy {
                assert_eq!(table.first_wins(&start), Err(NotComputed::Endless));
                compared += 1;
                continue;
            }
            let mut plain = Plain {
                skills,
                gives_away: [gives_away, false],
                known: HashMap::new(),
            };
            let Some((_, expected)) = plain.odds(&start, Seat::First, 1_000) else {
                continue;
            };
            let odds = table.first_wins(&start).expect("small enough");
            assert!(
                (odds.value - expected).abs() < 1e-9,
                "{start}, seed {seed}: {odds:?}, {expected}"
            );
            compared += 1;
        }
        assert!(compared > 0, "{}", info.name);
    }
}

#[test]
fn what_is_too_large_is_refused() {
    let mut table = Table::new(player("0.5"), player("0.5"));
    let start = Position::parse("nim:1000000").expect("a position");
    assert_eq!(table.first_wins(&start), Err(NotComputed::TooLarge));
}

#[test]
fn long_plays_need_no_deep_stack() {
    // 100,000 stones, at most one a move.
    let chance = first_wins("bash.1:100000", ["0.5", "0.5"]);
    assert_eq!(chance.exact.expect("few digits").to_string(), "0");
}

#[test]
fn fair_starts_are_all_starts_in_order() {
    let family = Family {
        game: "nim".to_owned(),
        heaps: [2, 3],
        max: 3,
        misere: false,
    };
    let starts = family.starts().expect("few");
    let texts: Vec<String> = starts.iter().map(ToString::to_string).collect();
    assert_eq!(texts.len(), 6 + 10);
    assert_eq!(texts[..4], ["nim:1,1", "nim:1,2", "nim:1,3", "nim:2,2"]);
    assert_eq!(texts[15], "nim:3,3,3");
    let players = [player("0.5"), player("0.75")];
    let fair = Fair::of(starts, players).expect("small enough");
    assert_eq!((fair.compared, fair.starts.len()), (16, 32));
    for pair in fair.starts.windows(2) {
        assert!(pair[0].distance() <= pair[1].distance());
    }
    for even in &fair.starts {
        let order = [players[even.first], players[1 - even.first]];
        let alone = Table::new(order[0], order[1]).first_wins(&even.start);
        assert_eq!(alone, Ok(even.first_wins), "{}", even.start);
    }
    for (game, heaps, max) in [
        ("nim", [0, 2], 3),
        ("nim", [3, 2], 3),
        ("nim", [1, 9], 3),
        ("nim", [1, 2], 0),
        ("nim", [8, 8], 99),
        ("cram", [1, 2], 3),
        ("no", [1, 2], 3),
    ] {
        let family = Family {
            game: game.to_owned(),
            heaps,
            max,
            misere: false,
        };
        assert!(family.starts().is_err(), "{game} {heaps:?} {max}");
    }
}
