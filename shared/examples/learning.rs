//! Does practice teach? Simulated learners of several kinds play ten matches, half of them practising their own mistakes between the matches with
//! the exercises, hints and solutions of `grundy learn`. Prints how many won positions they kept. The same seed prints the same.
//!
//! ```text
//! cargo run --release -p grundy-shared --example learning -- SEED LEARNERS
//! ```
//!
//! docs/LEARNING.md states the model and the result.

use std::collections::{HashMap, HashSet};
use std::process::ExitCode;

use grundy_shared::Position;
use grundy_shared::bot::Bot;
use grundy_shared::event::PlayerInfo;
use grundy_shared::ids::{MatchId, Millis, PlayerId, Ply, Seat};
use grundy_shared::practice::{Answer, Attempt, Exercise, Hint, Key, Performance, Theme};
use grundy_shared::referee::{Command, Decision, Referee, Terms};
use grundy_shared::review::Review;
use grundy_shared::solver::{Budget, reasons, standing};
use grundy_shared::suite::{Chance, Recipe};

/// What is played; each learner plays one of these.
const STARTS: [&str; 6] = [
    "nim,heaps=3-4,max=7",
    "nim,heaps=3-4,max=7,misere",
    "kayles,heaps=2-3,max=8",
    "wythoff,max=9",
    "stairs,heaps=5,max=4",
    "turtles,size=6-8",
];
/// Matches of a learner.
const MATCHES: usize = 10;
/// How often a learner who knows the rule applies it.
const CARE: f64 = 0.9;
/// How often the opponent keeps a win.
const OPPONENT: f64 = 0.8;
/// Exercises between two matches at most.
const EXERCISES: usize = 5;
/// Work on one question, in nodes.
const NODES: u64 = 5_000_000;

/// What a learner makes of what he is shown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Kind {
    /// Applies a rule from then on, wherever it decides.
    Copies,
    /// As above, but forgets each rule before each match with this chance of one half, unless he has used it rightly since the last match.
    Forgets,
    /// Understands one rule in three at each showing, and keeps it.
    Slow,
    /// Remembers the winning move of the very position, and no rule.
    Positions,
    /// Learns nothing.
    Nothing,
}

const KINDS: [(Kind, &str); 5] = [
    (Kind::Copies, "copies rules"),
    (Kind::Forgets, "copies and forgets"),
    (Kind::Slow, "copies one rule in three"),
    (Kind::Positions, "remembers positions only"),
    (Kind::Nothing, "learns nothing"),
];

/// A rule: an idea in an end rule.
type Rule = (Theme, bool);

struct Learner {
    kind: Kind,
    rules: HashSet<Rule>,
    used: HashSet<Rule>,
    moves: HashMap<Key, String>,
    /// Exercises that come again, with the match before which each is due and the time that was waited for it.
    due: Vec<(Exercise, usize, usize)>,
}

/// Won positions in which a move could give the win away, and how many of them were kept, by match.
#[derive(Clone, Copy, Default)]
struct Kept {
    decisions: [u32; MATCHES],
    kept: [u32; MATCHES],
}

fn main() -> ExitCode {
    let numbers: Option<Vec<u64>> = std::env::args()
        .skip(1)
        .map(|text| text.parse().ok())
        .collect();
    let Some([seed, learners]) = numbers.as_deref() else {
        eprintln!("usage: learning SEED LEARNERS");
        return ExitCode::from(2);
    };
    print!("{}", table(*seed, *learners));
    ExitCode::SUCCESS
}

/// The result, a line for each kind of learner without and with practice.
fn table(seed: u64, learners: u64) -> String {
    let mut text = format!(
        "share of won positions kept, in percent, of {learners} learners of each kind with and without practice\n"
    );
    let columns = ["1", "2", "3", "5", "10"]
        .map(|one| format!("{one:>7}"))
        .concat();
    text += &format!(
        "{:<26}{:<10}{columns}   matches 6 to 10\n",
        "learner / match", "practice"
    );
    for (kind, name) in KINDS {
        let mut means = [Vec::new(), Vec::new()];
        for practises in [false, true] {
            let mut total = Kept::default();
            for learner in 0..learners {
                // The same starts and opponents with and without practice.
                let kept = career(
                    kind,
                    practises,
                    seed.wrapping_add(learner)
                        .wrapping_mul(0x9e37_79b9_7f4a_7c15),
                );
                for one in 0..MATCHES {
                    total.decisions[one] += kept.decisions[one];
                    total.kept[one] += kept.kept[one];
                }
                let late = |of: [u32; MATCHES]| f64::from(of[MATCHES / 2..].iter().sum::<u32>());
                means[usize::from(practises)].push((late(kept.kept), late(kept.decisions)));
            }
            text += &format!("{name:<26}{:<10}", if practises { "yes" } else { "no" });
            for one in [0, 1, 2, 4, 9] {
                let share = f64::from(total.kept[one]) / f64::from(total.decisions[one].max(1));
                text += &format!("{:>7.1}", 100.0 * share);
            }
            text += &format!("   {}", interval(&shares(&means[usize::from(practises)])));
            if practises {
                // Learners are paired, and those without a decision in either case left out.
                let pairs = means[1]
                    .iter()
                    .zip(&means[0])
                    .filter(|(with, without)| with.1 > 0.0 && without.1 > 0.0);
                let gains: Vec<f64> = pairs
                    .map(|(with, without)| with.0 / with.1 - without.0 / without.1)
                    .collect();
                text += &format!("; gain {}", interval(&gains));
            }
            text.push('\n');
        }
    }
    text
}

fn shares(means: &[(f64, f64)]) -> Vec<f64> {
    let with_decisions = means.iter().filter(|(_, decisions)| *decisions > 0.0);
    with_decisions
        .map(|(kept, decisions)| kept / decisions)
        .collect()
}

/// The mean of numbers, one for each learner, in percent, with its 95 % interval by the normal approximation.
fn interval(numbers: &[f64]) -> String {
    let count = numbers.len().max(2) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|one| (one - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = 1.96 * (variance / count).sqrt();
    format!(
        "{:.1} ({:.1} to {:.1})",
        100.0 * mean,
        100.0 * (mean - half),
        100.0 * (mean + half)
    )
}

/// Ten matches of one learner.
fn career(kind: Kind, practises: bool, seed: u64) -> Kept {
    let mut starts = Chance::new(seed);
    let recipe =
        Recipe::read(STARTS[starts.below(STARTS.len() as u64) as usize]).expect("a recipe");
    let mut learner = Learner {
        kind,
        rules: HashSet::new(),
        used: HashSet::new(),
        moves: HashMap::new(),
        due: Vec::new(),
    };
    let mut kept = Kept::default();
    for number in 0..MATCHES {
        let start = recipe
            .make_with(starts.bits(), 1)
            .expect("a start")
            .remove(0);
        // Practice draws nothing from the chance of the match.
        let mut chance = Chance::new(starts.bits());
        let mut practice = Chance::new(starts.bits());
        learner.forget(&mut practice);
        let seat = Seat::BOTH[chance.below(2) as usize];
        let (referee, decisions, held) = learner.plays(&start, seat, &mut chance);
        kept.decisions[number] = decisions;
        kept.kept[number] = held;
        if practises {
            learner.practise(&referee, seat, number, &mut practice);
        }
    }
    kept
}

impl Learner {
    fn forget(&mut self, chance: &mut Chance) {
        if self.kind == Kind::Forgets {
            let mut rules: Vec<Rule> = self.rules.iter().copied().collect();
            rules.sort_unstable();
            for rule in rules {
                if !self.used.contains(&rule) && chance.below(2) == 0 {
                    self.rules.remove(&rule);
                }
            }
        }
        self.used.clear();
    }

    /// A match against a bot; how many decisions there were, and how many wins were kept.
    fn plays(&mut self, start: &Position, seat: Seat, chance: &mut Chance) -> (Referee, u32, u32) {
        let (bot, budget) = (Bot::skill(OPPONENT), Budget::nodes(NODES));
        let mut referee = begun(start, seat);
        let (mut position, mut to_move, mut ply) = (start.clone(), Seat::First, 1);
        let (mut decisions, mut kept) = (0, 0);
        while !position.is_over(to_move) {
            let mv = if to_move == seat {
                let before = standing(&position, seat, &budget).expect("small");
                let text = self.choose(&position, seat, chance);
                let mv = position.parse_move(seat, &text).expect("legal");
                if before.winner == Some(seat) && before.winning < before.legal {
                    let after =
                        standing(&position.play(&mv), seat.other(), &budget).expect("small");
                    decisions += 1;
                    kept += u32::from(after.winner == Some(seat));
                }
                mv
            } else {
                let bits = &mut || chance.bits();
                bot.choose(&position, to_move, &budget, bits)
                    .expect("a move")
            };
            let made = Command::Move {
                player: id(to_move),
                ply: Ply(ply),
                client_move_id: None,
                text: mv.to_string(),
                opponent_lag: Millis(0),
                hints: 0,
            };
            carry_out(&mut referee, &made);
            (position, to_move, ply) = (position.play(&mv), to_move.other(), ply + 1);
        }
        (referee, decisions, kept)
    }

    /// A move: by memory, by a rule, or any.
    fn choose(&mut self, position: &Position, to_move: Seat, chance: &mut Chance) -> String {
        if let Some(mv) = self.moves.get(&Key::of(position, to_move)) {
            return mv.clone();
        }
        let careful = (chance.below(1_000) as f64) < CARE * 1_000.0;
        let any = chance.bits();
        if careful && !self.rules.is_empty() {
            let why = reasons(position, to_move, &[], &Budget::nodes(NODES));
            let rule = (Theme::of(position, &why), position.end_rule().is_misere());
            if let Some(best) = why.best.filter(|_| self.rules.contains(&rule)) {
                self.used.insert(rule);
                return best;
            }
        }
        let nth = u128::from(any) % position.move_count(to_move).max(1);
        position
            .nth_move(to_move, nth)
            .expect("in the list")
            .to_string()
    }

    /// Practises the mistakes of a match, and older ones that are due: again after 1, 2, 4 and 8 matches if solved, else after the next one.
    fn practise(&mut self, referee: &Referee, seat: Seat, number: usize, chance: &mut Chance) {
        let budget = Budget::nodes(NODES);
        let review = Review::of(referee, &budget);
        let new = Exercise::all_of(&review, MatchId::from_random(1), &budget).into_iter();
        let new = new.filter(|exercise| exercise.to_move == seat);
        let known: HashSet<Key> = self
            .due
            .iter()
            .map(|(exercise, ..)| exercise.key())
            .collect();
        let new = new.filter(|exercise| !known.contains(&exercise.key()));
        let new: Vec<_> = new.map(|exercise| (exercise, number, 0)).collect();
        self.due.extend(new);
        let (now, later): (Vec<_>, Vec<_>) = std::mem::take(&mut self.due)
            .into_iter()
            .partition(|(_, due, _)| *due <= number);
        self.due = later;
        for (place, (exercise, _, waited)) in now.into_iter().enumerate() {
            if place >= EXERCISES {
                self.due.push((exercise, number + 1, waited));
                continue;
            }
            let solved = self.attempt(&exercise, chance) == Performance::AtOnce;
            let wait = if solved { (2 * waited).max(1) } else { 1 };
            self.due.push((exercise, number + wait, wait));
        }
    }

    /// One try, then the idea as a hint and another try, then the solution.
    fn attempt(&mut self, exercise: &Exercise, chance: &mut Chance) -> Performance {
        let budget = Budget::nodes(NODES);
        let mut attempt = Attempt::new(exercise);
        for second in [false, true] {
            if second && let Some(Hint::Idea { theme }) = attempt.hint(&budget) {
                self.shown(theme, exercise, chance);
            }
            let mv = self.choose(&exercise.position, exercise.to_move, chance);
            if let Ok(Answer::Right(_)) = attempt.try_move(&mv, &budget) {
                break;
            }
        }
        if attempt.performance().is_none() {
            let solution = attempt.solution(&budget);
            self.shown(exercise.theme, exercise, chance);
            if let Some(best) = solution.best.filter(|_| self.kind == Kind::Positions) {
                self.moves.insert(exercise.key(), best.mv);
            }
        }
        attempt.performance().expect("it is over")
    }

    /// A rule is shown.
    fn shown(&mut self, theme: Theme, exercise: &Exercise, chance: &mut Chance) {
        let understands = match self.kind {
            Kind::Copies | Kind::Forgets => true,
            Kind::Slow => chance.below(3) == 0,
            Kind::Positions | Kind::Nothing => false,
        };
        if understands {
            let rule = (theme, exercise.position.end_rule().is_misere());
            self.rules.insert(rule);
            self.used.insert(rule);
        }
    }
}

fn id(seat: Seat) -> PlayerId {
    PlayerId::from_random(seat.index() as u128)
}

/// A match that has begun: the learner sits here, the bot there.
fn begun(start: &Position, learner: Seat) -> Referee {
    let [first, second] = Seat::BOTH.map(|seat| PlayerInfo {
        id: id(seat),
        name: if seat == learner { "learner" } else { "bot" }.to_owned(),
        bot: seat != learner,
    });
    let terms = Terms {
        position: start.to_string(),
        clock: "none".parse().expect("a time control"),
        rematch_of: None,
        series: None,
    };
    let created = Referee::create(terms, first, Seat::First, Millis(0));
    let (mut referee, _) = created.expect("lawful terms");
    carry_out(&mut referee, &Command::Join { player: second });
    referee
}

fn carry_out(referee: &mut Referee, command: &Command) {
    match referee.handle(Millis(0), command) {
        Ok(Decision::Events(ruling)) => {
            referee.accept(ruling).expect("nothing came between");
        }
        other => panic!("{command:?}: {other:?}"),
    }
}

#[cfg(test)]
mod tests {
    /// The measure finds no gain where nothing is learnt, and one where rules are.
    #[test]
    fn only_who_learns_gains() {
        let table = super::table(1, 10);
        let gain = |learner: &str| {
            let mut lines = table.lines().filter(|line| line.starts_with(learner));
            let line = lines.find(|line| line.contains("gain")).expect("a line");
            let (_, gain) = line.split_once("gain ").expect("a gain");
            gain.split(' ').next().map(|gain| gain.parse::<f64>())
        };
        assert_eq!(gain("learns nothing"), Some(Ok(0.0)), "{table}");
        assert!(matches!(gain("copies rules"), Some(Ok(20.0..))), "{table}");
    }
}
