//! Who has White (C.04.3, article 5.2).

use super::super::cross_table::Colour;
use super::player::Player;

/// The colour of the higher-ranked player of a pair.
pub(super) fn colour_of_higher(higher: &Player, lower: &Player, initial: Colour) -> Colour {
    let Some(preference) = higher.preference else {
        return match lower.preference {
            Some(preference) => preference.other(),
            // 5.2.5: nobody has a preference, so the pairing number decides.
            None if higher.place % 2 == 1 => initial,
            None => initial.other(),
        };
    };
    // 5.2.1: both can have what they prefer.
    if lower.preference != Some(preference) {
        return preference;
    }
    // 5.2.2: the stronger preference, of two absolute ones the wider difference.
    let strength = |player: &Player| {
        let width = if player.is_absolute() {
            player.difference.abs()
        } else {
            0
        };
        (player.strength, width)
    };
    match strength(higher).cmp(&strength(lower)) {
        std::cmp::Ordering::Greater => return preference,
        std::cmp::Ordering::Less => return preference.other(),
        std::cmp::Ordering::Equal => {}
    }
    // 5.2.3: change the colours of the last round in which they differed.
    let both = higher.colours.iter().rev().zip(lower.colours.iter().rev());
    let mut differing = both.filter(|(one, two)| one != two);
    match differing.next() {
        Some((own, _)) => own.other(),
        // 5.2.4: the higher-ranked player's preference.
        None => preference,
    }
}
