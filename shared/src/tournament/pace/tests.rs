use super::*;
use crate::event::{EndReason, Outcome, PlayerInfo, TimeControl};
use crate::ids::{PlayerId, TournamentId};
use crate::tournament::{
    Admission, Next, OpenGame, Rules, Seed, Starts, Tournament, Who, match_of_game,
};

fn seed() -> Seed {
    Seed::new([3; 32])
}

fn player(number: u32) -> PlayerInfo {
    PlayerInfo {
        id: PlayerId::from_random(u128::from(number)),
        name: format!("p{number}"),
        bot: true,
    }
}

/// Numbers that look random (SplitMix64).
struct Chance(u64);

impl Chance {
    fn below(&mut self, count: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % count
    }
}

/// A tournament in virtual time, and what the pace says on the way.
struct Clocked {
    tournament: Tournament,
    pace: Pace,
    now: u64,
    /// The time of each player's games in milliseconds, half of it chance.
    slowness: Vec<u64>,
    chance: Chance,
    ended: u64,
    /// After the first tenth of the games: the time, and the time left.
    after_a_tenth: Option<(u64, u64)>,
}

impl Clocked {
    fn play(format: Format, slowness: &[u64], games: u32, seed_of_chance: u64) -> Self {
        let created = TournamentEvent::Created {
            name: "Cup".to_owned(),
            organiser: player(0),
            format,
            rules: Rules {
                games,
                clock: TimeControl::Fischer {
                    base_ms: Millis(60_000),
                    increment_ms: Millis(0),
                },
                starts: Starts::List {
                    positions: vec!["nim:3,5,7".to_owned()],
                },
                start_ms: Millis(10_000),
                away_ms: Millis(10_000),
            },
            admission: Admission {
                who: Who::Both,
                most: 200,
                names: Vec::new(),
            },
            starts_at_ms: None,
            commitment: seed().commitment(),
        };
        let mut clocked = Self {
            tournament: Tournament::created(&created).expect("it can be"),
            pace: Pace::default(),
            now: 1_000_000,
            slowness: slowness.to_vec(),
            chance: Chance(seed_of_chance),
            ended: 0,
            after_a_tenth: None,
        };
        clocked.pace.note(&Dated {
            at_ms: Millis(clocked.now),
            event: created,
        });
        for number in 1..=slowness.len() as u32 {
            clocked.append(TournamentEvent::Entered {
                player: player(number),
            });
        }
        // Entering takes long and says nothing.
        clocked.now += 10_000_000;
        clocked.append(TournamentEvent::EntriesClosed {});
        clocked
    }

    fn append(&mut self, event: TournamentEvent) {
        self.tournament.apply(&event).expect("it fits");
        let at_ms = Millis(self.now);
        self.pace.note(&Dated { at_ms, event });
    }

    /// Plays all rounds, every board by itself; the error of the estimate after the first tenth of the games as a share of the truth.
    fn error(mut self) -> f64 {
        let planned = self.tournament.games_planned().expect("it began");
        let mut ends: Vec<(u64, OpenGame)> = Vec::new();
        let mut running: Vec<(u32, u32)> = Vec::new();
        loop {
            match self.tournament.next().expect("it can be paired") {
                Next::Pair(event) => {
                    running.clear();
                    self.append(*event);
                }
                Next::Play(open) => {
                    for game in open {
                        if running.contains(&(game.board, game.game)) {
                            continue;
                        }
                        running.push((game.board, game.game));
                        let [one, two] = [game.players.0, game.players.1]
                            .map(|player| self.slowness[player as usize - 1]);
                        let took = (one + two) / 2 + self.chance.below(one + two);
                        ends.push((self.now + took, game));
                    }
                    let first = (0..ends.len()).min_by_key(|place| ends[*place].0);
                    let (at, game) = ends.swap_remove(first.expect("a game runs"));
                    self.end(at, game);
                    if self.after_a_tenth.is_none() && self.ended * 10 >= planned {
                        let left = self.pace.left(Millis(self.now)).expect("games have ended");
                        self.after_a_tenth = Some((self.now, left.0));
                    }
                }
                _ => break,
            }
        }
        let (at, left) = self.after_a_tenth.expect("there was a tenth");
        let truth = (self.now - at) as f64;
        (left as f64 - truth).abs() / truth
    }

    fn end(&mut self, at: u64, open: OpenGame) {
        self.now = at;
        self.ended += 1;
        let OpenGame {
            round, board, game, ..
        } = open;
        let outcome = match self.chance.below(2) {
            0 => Outcome::First,
            _ => Outcome::Second,
        };
        self.append(TournamentEvent::GameEnded {
            round,
            board,
            game,
            match_id: match_of_game(TournamentId::from_random(1), round, board, game),
            outcome,
            reason: EndReason::LastMove,
            head: "0".repeat(64),
        });
    }
}

/// The errors for forty lots of chance.
fn errors(format: Format, slowness: &[u64], games: u32) -> Vec<f64> {
    let error = |chance| Clocked::play(format, slowness, games, chance).error();
    (0..40).map(error).collect()
}

#[test]
fn after_the_first_tenth_the_estimate_is_within_a_quarter_of_the_truth() {
    let alike = [400; 8];
    for (format, games) in [
        (Format::RoundRobin {}, 36),
        (Format::DoubleRoundRobin {}, 18),
        (Format::Swiss { rounds: 5 }, 60),
        (Format::Ladder { rounds: 20 }, 10),
    ] {
        let errors = errors(format, &alike, games);
        let largest = errors.iter().copied().fold(0.0, f64::max);
        assert!(largest <= 0.25, "{format:?}: {errors:?}");
    }
    // Players of whom some are four times slower than others: mostly.
    let mixed = [200, 250, 300, 400, 400, 500, 600, 800];
    let mut errors = errors(Format::RoundRobin {}, &mixed, 36);
    errors.sort_by(f64::total_cmp);
    assert!(errors[30] <= 0.25, "{errors:?}");
}

#[test]
fn a_pause_counts_as_no_time() {
    let run = |pause: u64| {
        let mut clocked = Clocked::play(Format::RoundRobin {}, &[400; 4], 2, 1);
        let Ok(Next::Pair(event)) = clocked.tournament.next() else {
            panic!("round 1");
        };
        clocked.append(*event);
        let Ok(Next::Play(open)) = clocked.tournament.next() else {
            panic!("games");
        };
        let began = clocked.now;
        assert_eq!(clocked.pace.left(Millis(began)), None, "no game has ended");
        clocked.end(began + 500, open[0]);
        clocked.append(TournamentEvent::Paused {});
        assert_eq!(clocked.pace.left(Millis(clocked.now)), None, "paused");
        clocked.now += pause;
        clocked.append(TournamentEvent::Resumed {});
        clocked.pace.left(Millis(clocked.now))
    };
    assert!(run(0).is_some());
    assert_eq!(run(0), run(3_600_000));
}

#[test]
fn a_tournament_that_is_over_has_no_time_left() {
    let mut clocked = Clocked::play(Format::RoundRobin {}, &[400; 4], 2, 1);
    clocked.append(TournamentEvent::Cancelled {
        reason: String::new(),
    });
    assert_eq!(clocked.pace.left(Millis(clocked.now)), None);
}
