//! Every kind of clock against a naive one that ticks each millisecond, as the rules of each kind say it.

use proptest::prelude::*;

use super::*;

/// One player's clock as the rule books have it.
#[derive(Clone, Debug)]
struct Naive {
    /// The time that runs.
    main: u64,
    /// Of a turn: what the clock still waits, or has used.
    waits: u64,
    used: u64,
    periods: u32,
    in_period: bool,
    /// Of a turn: what it may wait for the network, what it has waited, and what there is for later turns.
    lag: u64,
    waited: u64,
    lag_left: u64,
}

impl Naive {
    fn new(control: TimeControl) -> Self {
        let mut naive = Self {
            main: 0,
            waits: 0,
            used: 0,
            periods: 0,
            in_period: false,
            lag: 0,
            waited: 0,
            lag_left: LAG_MAX
                .0
                .min(control.for_first_move().map_or(0, |time| time.0 / 10)),
        };
        match control {
            TimeControl::Untimed {} => {}
            TimeControl::Fischer { base_ms, .. } | TimeControl::Bronstein { base_ms, .. } => {
                naive.main = base_ms.0;
            }
            TimeControl::Delay { base_ms, delay_ms } => {
                (naive.main, naive.waits) = (base_ms.0, delay_ms.0);
            }
            TimeControl::PerMove { move_ms } => naive.main = move_ms.0,
            TimeControl::ByoYomi {
                base_ms, periods, ..
            } => {
                (naive.main, naive.periods) = (base_ms.0, periods);
                naive.next_period(control);
            }
        }
        naive
    }

    /// A time that is used up is followed by the next period.
    fn next_period(&mut self, control: TimeControl) {
        if let TimeControl::ByoYomi { period_ms, .. } = control
            && self.main == 0
            && self.periods > 0
        {
            self.periods -= 1;
            self.main = period_ms.0;
            self.in_period = true;
        }
    }

    fn tick(&mut self, control: TimeControl) {
        if self.waited < self.lag {
            self.waited += 1;
            return;
        }
        self.used += 1;
        if self.waits > 0 {
            self.waits -= 1;
        } else {
            self.main = self.main.saturating_sub(1);
            self.next_period(control);
        }
    }

    fn has_fallen(&self) -> bool {
        self.main == 0 && self.waits == 0
    }

    fn press(&mut self, control: TimeControl) {
        match control {
            TimeControl::Untimed {} => {}
            TimeControl::Fischer { increment_ms, .. } => self.main += increment_ms.0,
            TimeControl::Delay { delay_ms, .. } => self.waits = delay_ms.0,
            TimeControl::Bronstein { delay_ms, .. } => self.main += self.used.min(delay_ms.0),
            TimeControl::PerMove { move_ms } => self.main = move_ms.0,
            TimeControl::ByoYomi { period_ms, .. } if self.in_period => self.main = period_ms.0,
            TimeControl::ByoYomi { .. } => {}
        }
        self.used = 0;
        let most = LAG_MAX
            .0
            .min(control.for_first_move().map_or(0, |time| time.0 / 10));
        self.lag_left = (self.lag_left - self.waited + LAG_REFILL.0).min(most);
        (self.lag, self.waited) = (0, 0);
    }
}

/// What happens to a match.
#[derive(Clone, Copy, Debug)]
enum Step {
    Pass(u64),
    /// The next clock waits so long for the network, if it may.
    Move(u64),
    Hold,
    Release(Seat),
    Credit(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0u64..40).prop_map(Step::Pass),
        3 => (0u64..12).prop_map(Step::Move),
        1 => Just(Step::Hold),
        1 => Just(Step::Release(Seat::First)),
        1 => Just(Step::Release(Seat::Second)),
        1 => (1u64..20).prop_map(Step::Credit),
    ];
    proptest::collection::vec(step, 0..40)
}

fn controls() -> impl Strategy<Value = TimeControl> {
    let small = || (1u64..80, 0u64..30);
    prop_oneof![
        small().prop_map(|(base, increment)| TimeControl::Fischer {
            base_ms: Millis(base),
            increment_ms: Millis(increment),
        }),
        small().prop_map(|(base, delay)| TimeControl::Delay {
            base_ms: Millis(base),
            delay_ms: Millis(delay),
        }),
        small().prop_map(|(base, delay)| TimeControl::Bronstein {
            base_ms: Millis(base),
            delay_ms: Millis(delay),
        }),
        (1u64..80).prop_map(|time| TimeControl::PerMove {
            move_ms: Millis(time),
        }),
        (0u64..60, 1u64..25, 1u32..5).prop_map(|(base, period, periods)| TimeControl::ByoYomi {
            base_ms: Millis(base),
            period_ms: Millis(period),
            periods,
        }),
    ]
}

/// What the clock shows of this player, and what the naive one has.
fn compare(clock: &MatchClock, naive: &[Naive; 2], now: Millis) -> Result<(), TestCaseError> {
    let shown = clock.left_at(now);
    for seat in Seat::BOTH {
        let expected = &naive[seat.index()];
        prop_assert_eq!(shown.of(seat).0, expected.main + expected.waits);
        let periods = shown.periods.map_or(0, |periods| periods.of(seat));
        prop_assert_eq!(periods, expected.periods);
    }
    Ok(())
}

/// Both clocks through these steps, up to a flag.
fn run(control: TimeControl, steps: &[Step]) -> Result<(), TestCaseError> {
    let mut clock = MatchClock::new(control, false).expect("timed");
    let mut naive = [Naive::new(control), Naive::new(control)];
    let (mut now, mut turn, mut held) = (Millis(1_000), Seat::First, [false; 2]);
    // What has ticked since the turn began, or was last held: what a credit can give back.
    let mut past: Vec<[Naive; 2]> = Vec::new();
    clock.start(turn, now);
    for step in steps {
        match *step {
            Step::Pass(time) => {
                for _ in 0..time {
                    let due = clock.deadline(None).is_some_and(|deadline| now >= deadline);
                    let fallen = naive[turn.index()].has_fallen() && !held[turn.index()];
                    prop_assert_eq!(due, fallen);
                    if due {
                        return Ok(());
                    }
                    now = now.plus(Millis(1));
                    if !held[turn.index()] {
                        past.push(naive.clone());
                        naive[turn.index()].tick(control);
                    }
                    compare(&clock, &naive, now)?;
                }
            }
            Step::Move(lag) => {
                if clock.deadline(None).is_some_and(|deadline| now >= deadline) {
                    return Ok(());
                }
                let after = clock.after_move(now);
                let lag = clock.lag_allowed(turn.other()).min(Millis(lag));
                clock.press(now, lag);
                naive[turn.index()].press(control);
                held[turn.index()] = false;
                turn = turn.other();
                naive[turn.index()].lag = lag.0;
                for seat in Seat::BOTH {
                    prop_assert_eq!(clock.lag_allowed(seat).0, naive[seat.index()].lag_left);
                }
                past.clear();
                prop_assert_eq!(after, clock.left_at(now));
            }
            Step::Hold if clock.can_hold() => {
                clock.hold(now);
                held = [true; 2];
                past.clear();
            }
            Step::Release(seat) if clock.can_release(seat) => {
                clock.release(seat, now);
                held[seat.index()] = false;
            }
            Step::Credit(time) => {
                let time = clock.creditable(Millis(time), now);
                prop_assert!(time.0 as usize <= past.len());
                clock.credit(time);
                let kept = past.len() - time.0 as usize;
                if let Some(then) = past.drain(kept..).next() {
                    naive = then;
                }
            }
            Step::Hold | Step::Release(_) => {}
        }
        compare(&clock, &naive, now)?;
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn it_agrees_with_one_that_ticks(control in controls(), steps in steps()) {
        run(control, &steps)?;
    }
}

fn after(control: TimeControl, times: &[u64]) -> Clocks {
    let mut clock = MatchClock::new(control, false).expect("timed");
    let mut now = Millis(0);
    clock.start(Seat::First, now);
    for time in times {
        now = now.plus(Millis(*time));
        assert!(clock.deadline(None).is_some_and(|deadline| now < deadline));
        clock.press(now, Millis(0));
        // The other one moves at once.
        clock.press(now, Millis(0));
    }
    clock.left_at(now)
}

#[test]
fn each_kind_in_figures() {
    let (base_ms, delay_ms) = (Millis(10_000), Millis(3_000));
    let first = |control, times: &[u64]| {
        let clocks = after(control, times);
        (
            clocks.first_ms.0,
            clocks.periods.map(|periods| periods.first),
        )
    };
    let fischer = TimeControl::Fischer {
        base_ms,
        increment_ms: delay_ms,
    };
    assert_eq!(first(fischer, &[1_000, 5_000]), (10_000, None));
    let delay = TimeControl::Delay { base_ms, delay_ms };
    assert_eq!(first(delay, &[]), (13_000, None));
    assert_eq!(first(delay, &[1_000, 5_000]), (11_000, None));
    let bronstein = TimeControl::Bronstein { base_ms, delay_ms };
    assert_eq!(first(bronstein, &[1_000, 5_000]), (8_000, None));
    let per_move = TimeControl::PerMove { move_ms: base_ms };
    assert_eq!(first(per_move, &[9_999, 1]), (10_000, None));
    let byo_yomi = TimeControl::ByoYomi {
        base_ms,
        period_ms: delay_ms,
        periods: 3,
    };
    assert_eq!(first(byo_yomi, &[9_000]), (1_000, Some(3)));
    assert_eq!(first(byo_yomi, &[9_000, 3_000]), (3_000, Some(2)));
    assert_eq!(first(byo_yomi, &[9_000, 3_000, 2_999]), (3_000, Some(2)));
    assert_eq!(first(byo_yomi, &[9_000, 3_000, 8_999]), (3_000, Some(0)));
    assert_eq!(byo_yomi.for_first_move(), Some(Millis(19_000)));
    assert_eq!(TimeControl::Untimed {}.for_first_move(), None);
}
