//! What a run found: one object for programs, a few lines for people.

use std::collections::BTreeMap;

use hdrhistogram::Histogram;
use serde::Serialize;

use super::sheds::Shed;
use super::tally::Tally;

/// The figures of one slice of time with one server.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Slice {
    /// Moves acknowledged within the slice, a second.
    pub(super) moves_per_s: f64,
    /// CPU microseconds of the server a move.
    pub(super) cpu_us: f64,
    /// CPU microseconds of the load client a move.
    pub(super) load_cpu_us: f64,
}

/// The middle of some figures; of an even number of them, the mean of the two in the middle. Not a number of none.
pub(super) fn median(figures: impl IntoIterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = figures.into_iter().collect();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        odd if odd % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

/// The time in milliseconds that this part (0 to 1) of the times does not pass; `None` when there are none.
pub(super) fn quantile_ms(micros: &Histogram<u64>, part: f64) -> Option<f64> {
    (!micros.is_empty()).then(|| round(micros.value_at_quantile(part) as f64 / 1000.0, 3))
}

/// Rounds to so many digits after the point. Not a number and the infinite become 0, which JSON can say.
pub(super) fn round(figure: f64, digits: i32) -> f64 {
    let scale = 10f64.powi(digits);
    let rounded = (figure * scale).round() / scale;
    if rounded.is_finite() { rounded } else { 0.0 }
}

/// What an open loop found besides.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct OpenLoop {
    /// Moves that fell due a second.
    pub(super) offered_per_s: f64,
    /// Moves that fell due.
    pub(super) offered: u64,
    /// Moves that no match could make, since all waited for the server.
    pub(super) blocked: u64,
    /// Moment at which a move was due to its acknowledgement: all but one in a thousand.
    pub(super) ack_ms_p999: Option<f64>,
    /// Requests beside the moves that fell due.
    pub(super) others: u64,
    /// Requests beside the moves that were not made, since too many waited for the server.
    pub(super) others_blocked: u64,
    /// Requests that may be refused and were done, by what was asked.
    pub(super) done: BTreeMap<&'static str, u64>,
    /// Refusals, by what was asked.
    pub(super) refused: Vec<Shed>,
    /// Refusals that did not say when to come back.
    pub(super) refused_without_time: u64,
    /// Requests that were not answered in 10 s.
    pub(super) unanswered: u64,
}

/// The object of `grundy load --json`.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Report {
    /// `grundy/load/1`.
    pub(super) schema: &'static str,
    /// The server's name and version.
    pub(super) server: String,
    /// Matches played at once.
    pub(super) matches: usize,
    /// Seconds measured, in `rounds` slices.
    pub(super) seconds: f64,
    /// Moves of a match.
    pub(super) plies: u32,
    /// Slices; figures of speed and cost are medians over them.
    pub(super) rounds: usize,
    /// Moves a second asked for; null in a closed loop.
    pub(super) rate: Option<f64>,
    /// Moves acknowledged, warming up included.
    pub(super) moves: u64,
    /// Moves acknowledged a second.
    pub(super) moves_per_s: f64,
    /// Move to acknowledgement: the middle.
    pub(super) ack_ms_p50: Option<f64>,
    /// Move to acknowledgement: all but one in a hundred.
    pub(super) ack_ms_p99: Option<f64>,
    /// Move to its event at the opponent: the middle.
    pub(super) opponent_ms_p50: Option<f64>,
    /// Move to its event at the opponent: all but one in a hundred.
    pub(super) opponent_ms_p99: Option<f64>,
    /// CPU of the server, user and system, a move.
    pub(super) server_cpu_us_per_move: f64,
    /// Resident memory of the server at the end.
    pub(super) server_rss_mib: f64,
    /// Memory that the server took when the matches began, a match with its two connections.
    pub(super) match_rss_kib: f64,
    /// Memory that the server took for each of the idle connections; null without them.
    pub(super) idle_connection_rss_kib: Option<f64>,
    /// CPU of this client a move.
    pub(super) load_cpu_us_per_move: f64,
    /// Part of one core that this client used: near 1 it is the client that is measured.
    pub(super) load_cpu_share: f64,
    /// What an open loop found besides; null in a closed loop.
    pub(super) open: Option<OpenLoop>,
    /// The relay's moves a second.
    pub(super) baseline_moves_per_s: Option<f64>,
    /// The relay's CPU a move.
    pub(super) baseline_cpu_us_per_move: Option<f64>,
    /// The relay's move to acknowledgement: the middle.
    pub(super) baseline_ack_ms_p50: Option<f64>,
    /// The relay's move to acknowledgement: all but one in a hundred.
    pub(super) baseline_ack_ms_p99: Option<f64>,
    /// Part of one core that this client used with the relay.
    pub(super) baseline_load_cpu_share: Option<f64>,
    /// Moves a second over the relay's, median of the rounds.
    pub(super) ratio: Option<f64>,
    /// The least and the largest ratio of a round.
    pub(super) ratio_spread: Option<[f64; 2]>,
    /// CPU a move over the relay's, median of the rounds.
    pub(super) cpu_ratio: Option<f64>,
    /// Whether server and client were held to a core each.
    pub(super) pinned: bool,
    /// Why not.
    pub(super) not_pinned_because: Option<String>,
    /// The core of the server and the relay, when pinned.
    pub(super) server_core: Option<usize>,
    /// The core of this client, when pinned.
    pub(super) load_core: Option<usize>,
    /// Connections that only listened.
    pub(super) idle: usize,
    /// Watchers of the first match.
    pub(super) watchers: usize,
    /// Events that the watchers saw.
    pub(super) watched_events: u64,
    /// Connections that asked for solutions in a loop.
    pub(super) askers: usize,
    /// Solutions that they got.
    pub(super) solved: u64,
    /// Threads that served connections, in a server of our own.
    pub(super) workers: u32,
    /// Matches played to their end.
    pub(super) finished_matches: u64,
    /// Paced moves sent more than 10 ms late.
    pub(super) late_moves: u64,
    /// Requests refused.
    pub(super) refusals: u64,
    /// Connections lost.
    pub(super) disconnects: u64,
    /// Events that came with a gap or with another move than was made.
    pub(super) gaps: u64,
    /// Acknowledged moves that are not in the log.
    pub(super) lost_moves: u64,
    /// The first few slips in words.
    pub(super) slips: Vec<String>,
}

impl Report {
    /// Whether the server kept every promise.
    pub(crate) fn clean(&self) -> bool {
        let open = self.open.as_ref();
        let unheard = open.map_or(0, |open| open.unanswered + open.refused_without_time);
        self.refusals + self.disconnects + self.gaps + self.lost_moves + unheard == 0
    }

    /// Fills in the figures of the slices.
    pub(super) fn take_slices(&mut self, server: &[Slice], relay: &[Slice]) {
        let middle = |slices: &[Slice], of: fn(&Slice) -> f64, digits| {
            round(median(slices.iter().map(of)), digits)
        };
        self.rounds = server.len();
        self.moves_per_s = middle(server, |slice| slice.moves_per_s, 0);
        self.server_cpu_us_per_move = middle(server, |slice| slice.cpu_us, 2);
        self.load_cpu_us_per_move = middle(server, |slice| slice.load_cpu_us, 2);
        let share: fn(&Slice) -> f64 = |slice| slice.moves_per_s * slice.load_cpu_us / 1e6;
        self.load_cpu_share = middle(server, share, 2);
        if relay.is_empty() {
            return;
        }
        self.baseline_moves_per_s = Some(middle(relay, |slice| slice.moves_per_s, 0));
        self.baseline_cpu_us_per_move = Some(middle(relay, |slice| slice.cpu_us, 2));
        self.baseline_load_cpu_share = Some(middle(relay, share, 2));
        let pairs = || server.iter().zip(relay);
        let ratios = || pairs().map(|(server, relay)| server.moves_per_s / relay.moves_per_s);
        self.ratio = Some(round(median(ratios()), 3));
        let least = ratios().fold(f64::INFINITY, f64::min);
        let largest = ratios().fold(0.0, f64::max);
        self.ratio_spread = Some([round(least, 3), round(largest, 3)]);
        let costs = pairs().map(|(server, relay)| server.cpu_us / relay.cpu_us);
        self.cpu_ratio = Some(round(median(costs), 3));
    }

    /// Fills in what was counted while playing.
    pub(super) fn take_tally(&mut self, tally: &Tally) {
        let (acknowledged, at_opponent) = (tally.acknowledged.borrow(), tally.at_opponent.borrow());
        self.ack_ms_p50 = quantile_ms(&acknowledged, 0.5);
        self.ack_ms_p99 = quantile_ms(&acknowledged, 0.99);
        self.opponent_ms_p50 = quantile_ms(&at_opponent, 0.5);
        self.opponent_ms_p99 = quantile_ms(&at_opponent, 0.99);
        self.moves = tally.moves.get();
        self.finished_matches = tally.finished.get();
        self.late_moves = tally.late.get();
        self.watched_events = tally.watched.get();
        self.solved = tally.solved.get();
        self.refusals = tally.refusals.get();
        self.disconnects = tally.disconnects.get();
        self.gaps = tally.gaps.get();
        self.lost_moves = tally.lost.get();
        self.slips = tally.slips.borrow().clone();
    }

    /// Fills in what was counted in an open loop.
    pub(super) fn take_open(&mut self, tally: &Tally) {
        let sheds = tally.sheds.borrow();
        let offered = tally.offered.get();
        self.open = Some(OpenLoop {
            offered_per_s: round(offered as f64 / self.seconds, 0),
            offered,
            blocked: tally.blocked.get(),
            ack_ms_p999: quantile_ms(&tally.acknowledged.borrow(), 0.999),
            others: tally.others.get(),
            others_blocked: tally.others_blocked.get(),
            done: sheds.done().clone(),
            refused_without_time: sheds.all().iter().map(|shed| shed.without_time).sum(),
            refused: sheds.all(),
            unanswered: sheds.unanswered(),
        });
    }

    /// Fills in how the processes were held to cores.
    pub(super) fn take_cores(&mut self, cores: Result<(usize, usize), String>) {
        match cores {
            Ok((server, load)) => {
                (self.pinned, self.server_core, self.load_core) = (true, Some(server), Some(load));
            }
            Err(why) => self.not_pinned_because = Some(why),
        }
    }
}

/// Mebibytes.
pub(super) fn mib(bytes: u64) -> f64 {
    round(bytes as f64 / 1024.0 / 1024.0, 1)
}

/// Kibibytes for each of `count` things that took memory from `before` to `after`.
pub(super) fn kib_each(before: u64, after: u64, count: usize) -> f64 {
    round((after as f64 - before as f64) / 1024.0 / count as f64, 1)
}

#[cfg(test)]
mod tests {
    use super::super::tally::micros_histogram;
    use super::*;

    fn slice(moves_per_s: f64, cpu_us: f64) -> Slice {
        Slice {
            moves_per_s,
            cpu_us,
            load_cpu_us: 10.0,
        }
    }

    #[test]
    fn the_median_is_in_the_middle() {
        assert_eq!(median([3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median([7.0]), 7.0);
        assert!(median([]).is_nan());
        assert_eq!(round(f64::NAN, 2), 0.0);
    }

    #[test]
    fn quantiles_agree_with_sorting() {
        let mut histogram = micros_histogram();
        // 1 to 10,000 microseconds, in an order that is not theirs.
        for index in 0..10_000u64 {
            histogram.saturating_record(index * 7919 % 10_000 + 1);
        }
        for (part, exact_ms) in [(0.5, 5.0), (0.99, 9.9), (1.0, 10.0)] {
            let found = quantile_ms(&histogram, part).expect("not empty");
            assert!(
                (found - exact_ms).abs() <= exact_ms / 1000.0,
                "{part}: {found}"
            );
        }
        assert_eq!(quantile_ms(&micros_histogram(), 0.5), None);
    }

    #[test]
    fn one_slow_move_in_two_hundred_is_not_in_the_p99_and_three_are() {
        let mut histogram = micros_histogram();
        histogram.saturating_record_n(100, 199);
        histogram.saturating_record(50_000);
        assert_eq!(quantile_ms(&histogram, 0.99), Some(0.1));
        histogram.saturating_record_n(50_000, 2);
        assert!(quantile_ms(&histogram, 0.99) > Some(49.0));
    }

    #[test]
    fn ratios_are_taken_round_by_round() {
        let mut report = Report::default();
        // The machine was half as fast in the second round: the ratio is not touched by it.
        let server = [slice(50.0, 20.0), slice(25.0, 40.0), slice(60.0, 20.0)];
        let relay = [slice(100.0, 10.0), slice(50.0, 20.0), slice(100.0, 10.0)];
        report.take_slices(&server, &relay);
        assert_eq!(report.ratio, Some(0.5));
        assert_eq!(report.ratio_spread, Some([0.5, 0.6]));
        assert_eq!(report.cpu_ratio, Some(2.0));
        assert_eq!(
            (report.moves_per_s, report.baseline_moves_per_s),
            (50.0, Some(100.0))
        );
    }

    #[test]
    fn without_a_relay_its_figures_are_null() {
        let mut report = Report::default();
        report.take_slices(&[slice(50.0, 20.0)], &[]);
        let json = serde_json::to_value(&report).expect("plain values");
        for name in [
            "baseline_moves_per_s",
            "baseline_cpu_us_per_move",
            "ratio",
            "cpu_ratio",
        ] {
            assert!(json[name].is_null(), "{name}");
        }
        assert_eq!(json["moves_per_s"], 50.0);
    }

    #[test]
    fn any_slip_makes_a_run_unclean() {
        assert!(Report::default().clean());
        assert!(
            !Report {
                gaps: 1,
                ..Report::default()
            }
            .clean()
        );
        assert!(
            !Report {
                lost_moves: 1,
                ..Report::default()
            }
            .clean()
        );
        assert!(
            !Report {
                disconnects: 1,
                ..Report::default()
            }
            .clean()
        );
        assert!(
            !Report {
                refusals: 1,
                ..Report::default()
            }
            .clean()
        );
    }

    #[test]
    fn memory_is_shared_out() {
        assert_eq!(kib_each(1 << 20, 2 << 20, 64), 16.0);
        assert_eq!(mib(3 << 20), 3.0);
    }
}
