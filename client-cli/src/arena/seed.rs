//! All chance of an arena comes from one number.

pub(crate) use grundy_shared::suite::Chance;

/// The seed of one player in one game. It follows from the arena's seed and the game's number alone, so it is the same at any concurrency
/// and after a resume.
pub(crate) fn of_player(arena: u64, game: u64, seat: usize) -> u64 {
    let mut chance = Chance::new(arena);
    let mut chance = Chance::new(chance.bits() ^ game);
    let mut chance = Chance::new(chance.bits() ^ seat as u64);
    chance.bits()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_and_games_have_different_seeds() {
        let mut seeds: Vec<u64> = (0..100)
            .flat_map(|game| [0, 1].map(|seat| of_player(7, game, seat)))
            .collect();
        seeds.sort_unstable();
        seeds.dedup();
        assert_eq!(seeds.len(), 200);
    }
}
