use super::super::fixture::{created, ended, entered, rules, seed};
use super::*;
use crate::event::{EndReason, Outcome};
use crate::suite::Chance;
use crate::tournament::{Next, OpenGame, Tournament};

/// A tournament in virtual time, and what the pace says on the way.
struct Clocked {
    tournament: Tournament,
    pace: Pace,
    now: f64,
    /// How long a game of each player takes on a board that is alone, in milliseconds; half of it is chance.
    slowness: Vec<f64>,
    /// So many boards can be busy without slowing each other down.
    room: f64,
    chance: Chance,
    ended: u64,
    /// By tenths of the games that have ended: the time, and the time left.
    estimates: Vec<(f64, f64)>,
}

/// The course of a tournament.
#[derive(Clone, Copy)]
struct Course<'s> {
    format: Format,
    games: u32,
    slowness: &'s [f64],
    room: f64,
}

impl Clocked {
    fn begin(course: Course<'_>, lot: u64) -> Self {
        let created = created(course.format, rules(course.games));
        let mut clocked = Self {
            tournament: Tournament::created(&created).expect("it can be"),
            pace: Pace::default(),
            now: 1_000_000.0,
            slowness: course.slowness.to_vec(),
            room: course.room,
            chance: Chance::new(lot),
            ended: 0,
            estimates: Vec::new(),
        };
        clocked.pace.note(&Dated {
            at_ms: clocked.millis(),
            event: created,
        });
        for number in 1..=course.slowness.len() as u32 {
            clocked.append(entered(number));
        }
        // Entering takes long and says nothing.
        clocked.now += 10_000_000.0;
        clocked.append(TournamentEvent::EntriesClosed {});
        clocked
    }

    fn millis(&self) -> Millis {
        Millis(self.now as u64)
    }

    fn append(&mut self, event: TournamentEvent) {
        self.tournament.apply(&event).expect("it fits");
        let at_ms = self.millis();
        self.pace.note(&Dated { at_ms, event });
    }

    /// Plays all rounds; the errors of the estimates after each tenth of the games, as shares of the truth.
    fn errors(mut self) -> Vec<f64> {
        let planned = self.tournament.games_planned().expect("it began");
        // Games that run, with the work that is left.
        let mut running: Vec<(f64, OpenGame)> = Vec::new();
        loop {
            match self.tournament.next().expect("it can be paired") {
                Next::Pair(event) => {
                    running.clear();
                    self.append(*event);
                }
                Next::Play(open) => {
                    for game in open {
                        if running.iter().any(|(_, other)| other.board == game.board) {
                            continue;
                        }
                        let slow = |player: u32| self.slowness[player as usize - 1];
                        let both = slow(game.players.0) + slow(game.players.1);
                        let chance = self.chance.below(1_000) as f64 / 1_000.0;
                        running.push((both / 2.0 * (0.5 + chance), game));
                    }
                    self.finish_first(&mut running);
                    let tenths = self.estimates.len() as u64 + 1;
                    if tenths < 10 && self.ended * 10 >= planned * tenths {
                        let left = self.pace.left(self.millis()).expect("games have ended");
                        self.estimates.push((self.now, left.0 as f64));
                    }
                }
                _ => break,
            }
        }
        let error = |(at, left): &(f64, f64)| {
            let truth = self.now - at;
            (left - truth).abs() / truth
        };
        self.estimates.iter().map(error).collect()
    }

    /// Time goes on until the first of the running games is over.
    fn finish_first(&mut self, running: &mut Vec<(f64, OpenGame)>) {
        let slowed = (running.len() as f64 / self.room).max(1.0);
        let first =
            (0..running.len()).min_by(|one, two| running[*one].0.total_cmp(&running[*two].0));
        let (work, game) = running.swap_remove(first.expect("a game runs"));
        for (left, _) in running {
            *left -= work;
        }
        self.end(self.now + work * slowed, game);
    }

    fn end(&mut self, at: f64, open: OpenGame) {
        self.now = at;
        self.ended += 1;
        let outcome = match self.chance.below(2) {
            0 => Outcome::First,
            _ => Outcome::Second,
        };
        self.append(ended(open, outcome, EndReason::LastMove));
    }
}

/// The errors of forty lots of chance after so many tenths of the games, the smallest first.
fn errors(course: Course<'_>, tenths: usize) -> Vec<f64> {
    let error = |lot| Clocked::begin(course, lot).errors()[tenths - 1];
    let mut errors: Vec<f64> = (0..40).map(error).collect();
    errors.sort_by(f64::total_cmp);
    errors
}

const ALIKE: [f64; 8] = [400.0; 8];
/// Some are four times as slow as others.
const MIXED: [f64; 8] = [200.0, 250.0, 300.0, 400.0, 400.0, 500.0, 600.0, 800.0];
/// Half of them answer at once, and half of them think: built-in bots.
const BUILT_IN: [f64; 8] = [5.0, 5.0, 5.0, 5.0, 60.0, 60.0, 60.0, 80.0];
/// Nobody waits for another board.
const FREE: f64 = 1e9;

#[test]
fn after_the_first_tenth_the_estimate_is_within_a_quarter_of_the_truth() {
    let course = |format, games, slowness, room| Course {
        format,
        games,
        slowness,
        room,
    };
    let robin = Format::RoundRobin {};
    let double = Format::DoubleRoundRobin {};
    let swiss = Format::Swiss { rounds: 5 };
    let ladder = Format::Ladder { rounds: 20 };
    // How many of forty lots of chance are within a quarter, at least.
    for (name, course, due) in [
        (
            "boards that wait for nobody",
            course(robin, 36, &ALIKE[..], FREE),
            40,
        ),
        ("the same, two cycles", course(double, 18, &ALIKE, FREE), 40),
        ("the same, Swiss", course(swiss, 60, &ALIKE, FREE), 40),
        ("the same, a ladder", course(ladder, 10, &ALIKE, FREE), 40),
        ("one processor", course(robin, 36, &ALIKE, 1.0), 40),
        ("two processors", course(robin, 36, &ALIKE, 2.0), 40),
        (
            "one processor, players unlike",
            course(robin, 36, &MIXED, 1.0),
            40,
        ),
        (
            "two processors, players unlike",
            course(robin, 36, &MIXED, 2.0),
            40,
        ),
        (
            "one processor, built-in bots",
            course(robin, 36, &BUILT_IN, 1.0),
            38,
        ),
        (
            "two processors, built-in bots",
            course(robin, 36, &BUILT_IN, 2.0),
            38,
        ),
        (
            "one processor, built-in bots, two cycles",
            course(double, 18, &BUILT_IN, 1.0),
            38,
        ),
        (
            "one processor, built-in bots, a ladder",
            course(ladder, 10, &BUILT_IN, 1.0),
            38,
        ),
        // Which slow players will meet nobody can know.
        ("players unlike", course(robin, 36, &MIXED, FREE), 28),
    ] {
        let errors = errors(course, 1);
        let within = errors.iter().filter(|error| **error <= 0.25).count();
        assert!(within >= due, "{name}: {within} of 40: {errors:?}");
    }
}

/// Whether the boards of a knockout slow each other down shows only when fewer are left, and nobody knows what will be played again.
#[test]
fn the_estimate_for_a_knockout_has_the_right_size() {
    for room in [1.0, FREE] {
        let course = Course {
            format: Format::Knockout {},
            games: 40,
            slowness: &ALIKE,
            room,
        };
        let (early, late) = (errors(course, 1), errors(course, 7));
        assert!(early[20] <= 0.5, "{room}: {early:?}");
        assert!(late[20] <= 0.35, "{room}: {late:?}");
    }
}

#[test]
fn the_last_boards_of_a_round_get_faster_when_they_are_alone() {
    for room in [1.0, 2.0] {
        let course = Course {
            format: Format::RoundRobin {},
            games: 36,
            slowness: &BUILT_IN,
            room,
        };
        for tenths in 2..=9 {
            let errors = errors(course, tenths);
            assert!(errors[20] <= 0.15, "{room} {tenths} tenths: {errors:?}");
            assert!(errors[36] <= 0.35, "{room} {tenths} tenths: {errors:?}");
        }
    }
}

#[test]
fn a_pause_counts_as_no_time() {
    let run = |pause: f64| {
        let course = Course {
            format: Format::RoundRobin {},
            games: 2,
            slowness: &[400.0; 4],
            room: FREE,
        };
        let mut clocked = Clocked::begin(course, 1);
        let Ok(Next::Pair(event)) = clocked.tournament.next() else {
            panic!("round 1");
        };
        clocked.append(*event);
        let Ok(Next::Play(open)) = clocked.tournament.next() else {
            panic!("games");
        };
        assert_eq!(
            clocked.pace.left(clocked.millis()),
            None,
            "no game has ended"
        );
        clocked.end(clocked.now + 500.0, open[0]);
        clocked.append(TournamentEvent::Paused {});
        assert_eq!(clocked.pace.left(clocked.millis()), None, "paused");
        clocked.now += pause;
        clocked.append(TournamentEvent::Resumed {});
        clocked.pace.left(clocked.millis())
    };
    assert!(run(0.0).is_some());
    assert_eq!(run(0.0), run(3_600_000.0));
}

#[test]
fn a_tournament_that_is_over_has_no_time_left() {
    let course = Course {
        format: Format::RoundRobin {},
        games: 2,
        slowness: &[400.0; 4],
        room: FREE,
    };
    let mut clocked = Clocked::begin(course, 1);
    clocked.append(TournamentEvent::Cancelled {
        reason: String::new(),
    });
    assert_eq!(clocked.pace.left(clocked.millis()), None);
    assert_eq!(clocked.tournament.commitment(), seed().commitment());
}
