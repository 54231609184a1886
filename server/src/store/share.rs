//! How the places for matches are shared between addresses.

/// The rule: how many places there are, and which part of the free ones is open to one address.
///
/// A match that nobody has joined takes a place of a pool of its own, which is half of all places. Both in this pool and among all places, an
/// address may have at most the free places divided by `parts`, and always one while one is free. So its share shrinks as the places
/// fill, and addresses that take all they can leave room for others: docs/decisions/0028.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FairShare {
    /// Matches that wait or run at once.
    pub places: u32,
    /// An address may have at most the free places divided by this; 0: as many as there are.
    pub parts: u32,
}

/// The matches that are not over once a new one is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taken {
    /// All of them.
    pub all: u64,
    /// Those that were created at the address of the new one.
    pub here: u64,
    /// Those that nobody has joined.
    pub waiting: u64,
    /// Those that nobody has joined, of this address.
    pub waiting_here: u64,
}

impl FairShare {
    /// Whether the new match may be stored; `waits` says whether it waits for a player.
    #[must_use]
    pub fn admits(self, taken: Taken, waits: bool) -> bool {
        let places = u64::from(self.places);
        let pool = places.div_ceil(2);
        let of_all = self.admits_to(places, taken.all, taken.here);
        of_all && (!waits || self.admits_to(pool, taken.waiting, taken.waiting_here))
    }

    fn admits_to(self, places: u64, taken: u64, here: u64) -> bool {
        let free = places.saturating_sub(taken.saturating_sub(1));
        // Without parts only the server's own bound says how many there may be.
        let Some(share) = free.checked_div(u64::from(self.parts)) else {
            return true;
        };
        free > 0 && here <= share.max(1)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// As many matches as `hostile` addresses can have, each taking all it can; whether they wait.
    fn fill(rule: FairShare, hostile: u64, waits: bool) -> Vec<u64> {
        let mut held = vec![0; usize::try_from(hostile).expect("few")];
        loop {
            let mut grown = false;
            for place in 0..held.len() {
                let all = held.iter().sum::<u64>() + 1;
                let here = held[place] + 1;
                let waiting = if waits { all } else { 0 };
                let waiting_here = if waits { here } else { 0 };
                let taken = Taken {
                    all,
                    here,
                    waiting,
                    waiting_here,
                };
                if rule.admits(taken, waits) {
                    held[place] += 1;
                    grown = true;
                }
            }
            if !grown {
                return held;
            }
        }
    }

    fn admits_a_newcomer(rule: FairShare, others: u64, others_wait: bool, waits: bool) -> bool {
        let waiting = if others_wait { others } else { 0 };
        let taken = Taken {
            all: others + 1,
            here: 1,
            waiting: waiting + u64::from(waits),
            waiting_here: u64::from(waits),
        };
        rule.admits(taken, waits)
    }

    #[test]
    fn hostile_addresses_leave_places() {
        let rule = FairShare {
            places: 20_000,
            parts: 8,
        };
        // The figures of decision 28.
        for (hostile, running, waiting) in [(1, 2_222, 1_111), (50, 17_241, 8_617)] {
            assert_eq!(fill(rule, hostile, false).iter().sum::<u64>(), running);
            assert_eq!(fill(rule, hostile, true).iter().sum::<u64>(), waiting);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn fewer_addresses_than_places_never_shut_a_newcomer_out(
            places in 64_u32..400,
            parts in 1_u32..12,
            hostile in 1_u64..40,
            wait in any::<bool>(),
            waits in any::<bool>(),
        ) {
            let rule = FairShare { places, parts };
            let pool = if wait { places.div_ceil(2) } else { places };
            let held = fill(rule, hostile, wait);
            let all: u64 = held.iter().sum();
            prop_assert!(all < u64::from(places));
            prop_assert!(all <= u64::from(pool));
            // Everybody has a match while there are as many places as addresses.
            if hostile <= u64::from(pool) {
                prop_assert!(held.iter().min() >= Some(&1));
            }
            if hostile + 1 < u64::from(pool) && parts > 1 {
                prop_assert!(admits_a_newcomer(rule, all, wait, waits), "{all} of {places}");
            }
        }

        #[test]
        fn a_share_never_grows_while_places_fill(
            places in 1_u32..1_000,
            parts in 1_u32..20,
            all in 1_u64..1_000,
            here in 1_u64..1_000,
            more in 0_u64..100,
            waits in any::<bool>(),
        ) {
            let rule = FairShare { places, parts };
            let taken = |all| Taken { all, here, waiting: all, waiting_here: here };
            if !rule.admits(taken(all), waits) {
                prop_assert!(!rule.admits(taken(all + more), waits));
            }
        }

        #[test]
        fn without_parts_everything_is_admitted(all in 0_u64..1_000, here in 0_u64..1_000, waits in any::<bool>()) {
            let rule = FairShare { places: 10, parts: 0 };
            let taken = Taken { all, here, waiting: all, waiting_here: here };
            prop_assert!(rule.admits(taken, waits));
        }
    }
}
