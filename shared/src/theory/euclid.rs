//! Euclid's game, ending at 0: who wins by the golden ratio, and values by the quotients of Euclid's algorithm.

/// The greatest common divisor.
#[must_use]
pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Whether the player to move loses. O(1), in whole numbers: b/a > φ iff b² - ab - a² > 0, for 0 < a <= b.
///
/// *Normal play* (Cole and Davie 1969): lost iff a < b < φa, or it is over. With a quotient of two or more the player to move
/// wins: of the results (r, a) and (a, a + r) the second has the first as its only option, so one of them is lost (and r = 0 ends it). With
/// quotient 1 the only move leads to (r, a), whose ratio is above φ iff that of (a, b) is below.
///
/// *Misère play*: lost iff 0 < a and b < φa, equal numbers included. The same proof; but with equal numbers the only move ends it,
/// and with r = 0 and a quotient above 1 equal numbers can be left.
#[must_use]
pub fn is_lost(a: u64, b: u64, misere: bool) -> bool {
    let (a, b) = (u128::from(a.min(b)), u128::from(a.max(b)));
    match a {
        0 => !misere,
        _ if a == b => misere,
        _ => b * (b - a) < a * a,
    }
}

/// The Grundy value in normal play. O(log).
///
/// Let b = qa + r, and let j stand for the result (a, ja + r), j = 0 for (r, a). From j all smaller j can be reached and nothing
/// else: so along j = 1, 2, … the values are 0, 1, 2, … without the value g of j = 0, which is q - 1 for q <= g, else q.
#[must_use]
pub fn value(a: u64, b: u64) -> u64 {
    let (mut a, mut b) = (a.min(b), a.max(b));
    let mut quotients = Vec::new();
    while a > 0 {
        quotients.push(b / a);
        (a, b) = (b % a, a);
    }
    quotients
        .iter()
        .rev()
        .fold(0, |before, quotient| match *quotient <= before {
            true => quotient - 1,
            false => *quotient,
        })
}

/// How often the smaller number still fits, once subtracted so that this value is left, for 0 < a <= b; there is one way at most.
#[must_use]
pub fn times_left(a: u64, b: u64, goal: u64) -> Option<u64> {
    let before = value(b % a, a);
    let times = match goal {
        _ if goal == before => 0,
        _ if goal < before => goal + 1,
        _ => goal,
    };
    (times < b / a).then_some(times)
}

/// The same for a position that is lost in misère play. Only with quotient 0 or 1 left can it be.
#[must_use]
pub fn times_left_to_misere_loss(a: u64, b: u64) -> Option<u64> {
    let rest = b % a;
    let lost = |times: &u64| is_lost(a, times * a + rest, true);
    (0..(b / a).min(2)).find(lost)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::theory::mex;

    #[test]
    fn values_and_verdicts_agree_with_the_definition() {
        const SIZE: usize = 70;
        let mut values = vec![vec![0u64; SIZE]; SIZE];
        let mut lost = vec![vec![true; SIZE]; SIZE];
        let mut differs = 0;
        for b in 0..SIZE {
            for a in 0..=b {
                let misere_lost = match a {
                    0 => false,
                    _ => (1..=b / a).all(|k| {
                        let (x, y) = ((b - k * a).min(a), (b - k * a).max(a));
                        !lost[x][y]
                    }),
                };
                lost[a][b] = misere_lost;
                if let Some(most) = b.checked_div(a) {
                    let options = (1..=most).map(|k| {
                        let (x, y) = ((b - k * a).min(a), (b - k * a).max(a));
                        values[x][y]
                    });
                    values[a][b] = mex(&options.collect::<Vec<u64>>());
                    let nivasch = (b * b - a * a) / (a * b);
                    differs += usize::from(values[a][b] != nivasch as u64);
                }
                let (x, y) = (a as u64, b as u64);
                assert_eq!(value(y, x), values[a][b], "{a},{b}");
                assert_eq!(is_lost(x, y, false), values[a][b] == 0, "{a},{b}");
                assert_eq!(is_lost(x, y, true), misere_lost, "misere {a},{b}");
            }
        }
        assert!(
            differs > 0,
            "the formula for positive numbers is not this game's"
        );
    }
}
