//! What one seed means: who is there, how long, and what may go wrong.

use crate::dice::Dice;
use crate::faults::Fault;

/// What several servers and their database bring with them. It is drawn apart, so that the plans of seeds with one server do not depend on it. The consequences among them
/// happen by themselves.
const OF_SEVERAL: &[Fault] = &[
    Fault::DatabaseStop,
    Fault::DatabaseKill,
    Fault::DatabaseCut,
    Fault::DatabaseMute,
    Fault::NoConnections,
    Fault::IdleInTransaction,
    Fault::SlowReaders,
    Fault::DiskFull,
    Fault::Failover,
    Fault::CommitUnknown,
    Fault::UnknownMade,
    Fault::UnknownNotMade,
    Fault::NeverKnown,
    Fault::LossRefused,
    Fault::LockTimeout,
    Fault::Deadlock,
    Fault::IdleEnded,
    Fault::StatementTimeout,
    Fault::NoConnection,
    Fault::HintLost,
    Fault::HintLate,
    Fault::HintTwice,
    Fault::HintForged,
    Fault::BusCut,
];

fn of_several(seed: u64) -> impl Iterator<Item = Fault> {
    let dice = Dice::new(seed ^ 0x7365_7665);
    let (calm, most) = (dice.one_in(8), dice.one_in(3));
    let allowed = move |_: &Fault| match (calm, most) {
        (true, _) => dice.one_in(8),
        (false, true) => !dice.one_in(10),
        (false, false) => dice.one_in(2),
    };
    OF_SEVERAL.iter().copied().filter(allowed)
}

/// The world of one seed.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// How many clients there are.
    pub(crate) clients: usize,
    /// How long faults fire, in virtual milliseconds.
    pub(crate) trouble_ms: u64,
    /// Between two acts of a client, on average.
    pub(crate) pause_ms: u64,
    /// From one side of a connection to the other, at most.
    pub(crate) latency_ms: u64,
    /// Matches that a player may have open.
    pub(crate) matches_per_player: u32,
    /// The same for a bot.
    pub(crate) matches_per_bot: u32,
    /// Messages that wait for a slow reader.
    pub(crate) queue_messages: u32,
    /// Servers on the one store: two or three, in turn, in every fifth seed.
    pub(crate) nodes: u32,
    /// Hints are carried between them: in two of three of those.
    pub(crate) bus: bool,
    /// Clients go to the lobby, too: in every fourth seed.
    pub(crate) lobby: bool,
    /// Matches against people are rated pairs where they can be: in every third seed.
    pub(crate) rated: bool,
    /// An operator ends matches and bans players: in every third seed with one server.
    pub(crate) operator: bool,
    /// Matches that a player may create in a day: few in every sixth seed, elsewhere more than anybody does.
    pub(crate) matches_a_day: u32,
    /// What may happen.
    allowed: Vec<Fault>,
}

impl Plan {
    /// The plan of a seed. About half of the kinds of fault are left out in each: what hides behind a common fault shows where that
    /// one is absent.
    pub(crate) fn of(seed: u64) -> Self {
        let dice = Dice::new(seed ^ 0x706c_616e);
        let calm = dice.one_in(12);
        let most = dice.one_in(3);
        // What two servers bring with them is not drawn.
        let drawn = |fault: &Fault| {
            !matches!(fault, Fault::SecondNode | Fault::TakeOver) && !OF_SEVERAL.contains(fault)
        };
        let drawn = Fault::ALL.iter().copied().filter(drawn);
        let allowed = drawn.filter(|_| match (calm, most) {
            (true, _) => dice.one_in(10),
            (false, true) => !dice.one_in(10),
            (false, false) => dice.one_in(2),
        });
        let mut allowed: Vec<Fault> = allowed.collect();
        let nodes = match seed % 10 {
            0 => 3,
            5 => 2,
            _ => 1,
        };
        if nodes > 1 {
            allowed.extend(of_several(seed));
        }
        let crowd = dice.one_in(8);
        Self {
            seed,
            clients: if crowd { 24 } else { 4 + dice.below(10) },
            trouble_ms: match dice.within(8_000..40_000) {
                // Long enough for an outage of the database in which servers give up.
                _ if seed.is_multiple_of(50) => 110_000,
                usual => usual,
            },
            pause_ms: *dice.pick(&[150, 400, 900]),
            latency_ms: *dice.pick(&[1, 5, 40, 150]),
            matches_per_player: *dice.pick(&[2, 4, 20]),
            matches_per_bot: *dice.pick(&[3, 6, 20]),
            queue_messages: *dice.pick(&[8, 16, 64]),
            nodes,
            bus: nodes > 1 && !seed.is_multiple_of(15),
            lobby: seed.is_multiple_of(4),
            rated: seed % 3 == 1,
            operator: seed % 3 == 2 && !seed.is_multiple_of(5),
            matches_a_day: if seed % 6 == 2 { 3 } else { 10_000 },
            allowed,
        }
    }

    /// Matches that a player may have open who is a bot, or is not.
    pub(crate) fn matches_of(&self, bot: bool) -> u32 {
        match bot {
            true => self.matches_per_bot,
            false => self.matches_per_player,
        }
    }

    /// The same without these.
    pub(crate) fn without(mut self, faults: &[Fault]) -> Self {
        self.allowed.retain(|fault| !faults.contains(fault));
        self
    }

    pub(crate) fn allows(&self, fault: Fault) -> bool {
        self.allowed.contains(&fault)
    }
}
