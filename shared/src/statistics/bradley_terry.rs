//! Ratings from all games at once: the Bradley-Terry model by maximum likelihood.
//!
//! The chance that i beats j is `1 / (1 + exp(b_j - b_i))`; the ratings are the b, in units of Elo (400 / ln 10 each),
//! shifted so that their mean is 0. Unlike an online rating the result does not depend on the order of games. Source:
//! Hunter, Ann. Statist. 32 (2004) 384-406, for the model, the condition for a maximum and the starting iteration; the
//! rest is Newton's method, which converges where the iteration creeps.

use super::normal::Z95;

/// One unit of the logistic scale in Elo.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;
/// Rounds of Hunter's iteration before Newton's method.
const WARM_UP: usize = 50;
/// The most rounds of Newton's method; it needs about ten.
const ROUNDS: usize = 200;
/// The most players for whom errors are computed: they need the inverse of a matrix of this size.
const LARGEST_MATRIX: usize = 400;

/// The smallest share of a game that counts: with less, the likelihood is lost in rounding.
pub const SMALLEST_COUNT: f64 = 1e-9;

/// So many games in which `winner` beat `loser`; a draw is half a game each way.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BtResult {
    /// The winner's place in the list of players.
    pub winner: usize,
    /// The loser's place in the list of players.
    pub loser: usize,
    /// How many games: 0, or from [`SMALLEST_COUNT`] on, finite.
    pub count: f64,
}

/// A player's rating.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct BtRating {
    /// In Elo above the mean of all players.
    pub elo: f64,
    /// The half width of the 95 % interval against the mean; `None` beyond 400 players.
    pub err: Option<f64>,
}

/// Why there are no ratings.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BtError {
    /// There are fewer than two players, or no game.
    #[error("there are no games between two players")]
    Empty,
    /// A result names no player, a player twice, or no count.
    #[error("result {0} is not a game between two players of the list")]
    BadResult(usize),
    /// No player of this group ever lost to a player outside it, or none ever won: the difference between the groups has
    /// no bound. Holds the places of the players of the smaller part.
    #[error("the players fall into groups whose distance the games do not determine")]
    Disconnected(Vec<usize>),
    /// Newton's method did not reach the maximum.
    #[error("the maximum of the likelihood was not found")]
    NotConverged,
}

/// The ratings of `players` players from all their games. Cost: about ten times solving a sparse system, and the cube of
/// the number of players for errors.
///
/// # Errors
/// If the maximum of the likelihood does not exist: it does exactly if from each player a chain of wins leads to each
/// other (Ford's condition).
pub fn bradley_terry(players: usize, results: &[BtResult]) -> Result<Vec<BtRating>, BtError> {
    let pairs = Games::new(players, results)?;
    if players < 2 || pairs.edges.is_empty() {
        return Err(BtError::Empty);
    }
    if let Some(part) = cut_off_part(players, results) {
        return Err(BtError::Disconnected(part));
    }
    let strengths = pairs.maximum()?;
    let errors = (players <= LARGEST_MATRIX)
        .then(|| pairs.standard_errors(&strengths))
        .flatten();
    let ratings = strengths
        .iter()
        .enumerate()
        .map(|(player, strength)| BtRating {
            elo: strength * ELO_PER_UNIT,
            err: errors
                .as_ref()
                .map(|errors| Z95 * errors[player] * ELO_PER_UNIT),
        });
    Ok(ratings.collect())
}

/// The players that no chain of wins leads from, or to, the others: the smaller of the two parts; `None` if there is no
/// such cut.
fn cut_off_part(players: usize, results: &[BtResult]) -> Option<Vec<usize>> {
    let mut beats = vec![Vec::new(); players];
    let mut beaten_by = vec![Vec::new(); players];
    for result in results.iter().filter(|result| result.count > 0.0) {
        beats[result.winner].push(result.loser);
        beaten_by[result.loser].push(result.winner);
    }
    [beats, beaten_by].iter().find_map(|arcs| {
        let mut reached = vec![false; players];
        let mut open = vec![0];
        reached[0] = true;
        while let Some(player) = open.pop() {
            for next in &arcs[player] {
                if !std::mem::replace(&mut reached[*next], true) {
                    open.push(*next);
                }
            }
        }
        let inside = reached.iter().filter(|reached| **reached).count();
        let smaller = inside * 2 <= players;
        let part = (0..players).filter(|player| reached[*player] == smaller);
        (inside < players).then(|| part.collect())
    })
}

/// The games of a field of players.
struct Games {
    players: usize,
    /// Two players and how many games they had.
    edges: Vec<(usize, usize, f64)>,
    /// How many games each player won.
    wins: Vec<f64>,
}

impl Games {
    fn new(players: usize, results: &[BtResult]) -> Result<Self, BtError> {
        let mut wins = vec![0.0; players];
        let mut met = std::collections::BTreeMap::new();
        for (place, result) in results.iter().enumerate() {
            let (winner, loser) = (result.winner, result.loser);
            let known = winner < players && loser < players && winner != loser;
            let counts = result.count == 0.0 || result.count >= SMALLEST_COUNT;
            if !known || !counts || !result.count.is_finite() {
                return Err(BtError::BadResult(place));
            }
            wins[winner] += result.count;
            let key = (winner.min(loser), winner.max(loser));
            *met.entry(key).or_insert(0.0) += result.count;
        }
        let edges = met
            .into_iter()
            .filter(|(_, count)| *count > 0.0)
            .map(|((i, j), count)| (i, j, count))
            .collect();
        Ok(Self {
            players,
            edges,
            wins,
        })
    }

    /// The likeliest strengths, of mean 0.
    fn maximum(&self) -> Result<Vec<f64>, BtError> {
        let mut strengths = self.warmed_up();
        let mut last = f64::INFINITY;
        for _ in 0..ROUNDS {
            let gradient = self.gradient(&strengths);
            let step = self.newton_step(&strengths, &gradient);
            let longest = step
                .iter()
                .fold(0.0, |most: f64, part| most.max(part.abs()));
            // At the maximum only rounding is left, and the steps stop shrinking.
            if longest < 1e-12 || (longest < 1e-8 && longest > last / 2.0) {
                return Ok(strengths);
            }
            last = longest;
            strengths = self.moved(&strengths, &step, longest);
        }
        Err(BtError::NotConverged)
    }

    /// One step of Newton's method, shortened far from the maximum: there a whole step may overshoot; the likelihood is
    /// concave, so a shorter one gains.
    fn moved(&self, strengths: &[f64], step: &[f64], longest: f64) -> Vec<f64> {
        let by = |share: f64| {
            let parts = strengths.iter().zip(step);
            let mut moved: Vec<f64> = parts.map(|(at, part)| at + share * part).collect();
            centre(&mut moved);
            moved
        };
        let mut share = (2.0 / longest).min(1.0);
        let before = self.log_likelihood(strengths);
        // Close to the maximum the gain is lost in rounding, and the whole step is right.
        while longest * share > 1e-3 && self.log_likelihood(&by(share)) < before {
            share /= 2.0;
        }
        by(share)
    }

    /// A few rounds of Hunter's iteration from equal strengths.
    fn warmed_up(&self) -> Vec<f64> {
        let mut weights = vec![1.0f64; self.players];
        for _ in 0..WARM_UP {
            let mut loads = vec![0.0; self.players];
            for (i, j, count) in &self.edges {
                let load = count / (weights[*i] + weights[*j]);
                loads[*i] += load;
                loads[*j] += load;
            }
            for (player, weight) in weights.iter_mut().enumerate() {
                *weight = (self.wins[player] / loads[player]).clamp(1e-12, 1e12);
            }
        }
        let mut strengths: Vec<f64> = weights.iter().map(|weight| weight.ln()).collect();
        centre(&mut strengths);
        strengths
    }

    fn log_likelihood(&self, strengths: &[f64]) -> f64 {
        let wins: f64 = self.wins.iter().zip(strengths).map(|(w, b)| w * b).sum();
        let norms = self.edges.iter().map(|(i, j, count)| {
            let (high, low) = (
                strengths[*i].max(strengths[*j]),
                strengths[*i].min(strengths[*j]),
            );
            count * (high + (low - high).exp().ln_1p())
        });
        wins - norms.sum::<f64>()
    }

    fn gradient(&self, strengths: &[f64]) -> Vec<f64> {
        let mut gradient = self.wins.clone();
        for (i, j, count) in &self.edges {
            let chance = chance(strengths[*i] - strengths[*j]);
            gradient[*i] -= count * chance;
            gradient[*j] -= count * (1.0 - chance);
        }
        gradient
    }

    /// How much each pair of players tells about the difference of their strengths.
    fn information(&self, strengths: &[f64]) -> Vec<(usize, usize, f64)> {
        let edges = self.edges.iter();
        edges
            .map(|(i, j, count)| {
                let chance = chance(strengths[*i] - strengths[*j]);
                (*i, *j, count * chance * (1.0 - chance))
            })
            .collect()
    }

    /// Solves `information * step = gradient` on the vectors of mean 0 by conjugate gradients with the diagonal as
    /// preconditioner.
    fn newton_step(&self, strengths: &[f64], gradient: &[f64]) -> Vec<f64> {
        let information = self.information(strengths);
        let mut diagonal = vec![0.0; self.players];
        for (i, j, weight) in &information {
            diagonal[*i] += weight;
            diagonal[*j] += weight;
        }
        let times = |vector: &[f64]| {
            let mut product = vec![0.0; vector.len()];
            for (i, j, weight) in &information {
                let flow = weight * (vector[*i] - vector[*j]);
                product[*i] += flow;
                product[*j] -= flow;
            }
            product
        };
        let dot = |one: &[f64], two: &[f64]| one.iter().zip(two).map(|(a, b)| a * b).sum::<f64>();
        let scaled = |vector: &[f64]| -> Vec<f64> {
            let parts = vector.iter().zip(&diagonal);
            parts
                .map(|(part, weight)| part / weight.max(1e-300))
                .collect()
        };
        let mut step = vec![0.0; self.players];
        // The parts of the gradient sum to 0 but for rounding, which must not lead along the line of equal shifts.
        let mut rest = gradient.to_vec();
        centre(&mut rest);
        let mut scaled_rest = scaled(&rest);
        let mut direction = scaled_rest.clone();
        let mut size = dot(&rest, &scaled_rest);
        let goal = size * 1e-26;
        for _ in 0..10 * self.players + 100 {
            if size.is_nan() || size <= goal || size < 1e-300 {
                break;
            }
            let product = times(&direction);
            let length = size / dot(&direction, &product);
            if !length.is_finite() {
                break;
            }
            for player in 0..self.players {
                step[player] += length * direction[player];
                rest[player] -= length * product[player];
            }
            scaled_rest = scaled(&rest);
            let next = dot(&rest, &scaled_rest);
            for player in 0..self.players {
                direction[player] = scaled_rest[player] + next / size * direction[player];
            }
            size = next;
        }
        centre(&mut step);
        step
    }

    /// Standard errors against the mean: the roots of the diagonal of the pseudo-inverse of the information matrix, which
    /// is `(information + J)^-1 - J` with J the matrix of 1/n. `None` if it is singular to working precision.
    fn standard_errors(&self, strengths: &[f64]) -> Option<Vec<f64>> {
        let n = self.players;
        let share = 1.0 / n as f64;
        let mut matrix = vec![vec![share; n]; n];
        for (i, j, weight) in self.information(strengths) {
            matrix[i][i] += weight;
            matrix[j][j] += weight;
            matrix[i][j] -= weight;
            matrix[j][i] -= weight;
        }
        let inverse = inverted(matrix)?;
        let diagonal = inverse.iter().enumerate().map(|(i, row)| row[i] - share);
        diagonal
            .map(|variance| (variance > 0.0).then(|| variance.sqrt()))
            .collect()
    }
}

/// The chance to win at this difference of strengths.
fn chance(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// Shifts to mean 0.
fn centre(values: &mut [f64]) {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    for value in values {
        *value -= mean;
    }
}

/// The inverse of a symmetric positive definite matrix by Gauss-Jordan elimination, which needs no pivoting for one.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Option<Vec<Vec<f64>>> {
    let n = matrix.len();
    let mut inverse: Vec<Vec<f64>> = (0..n)
        .map(|row| {
            (0..n)
                .map(|column| f64::from(u8::from(row == column)))
                .collect()
        })
        .collect();
    for pivot in 0..n {
        let scale = matrix[pivot][pivot];
        if scale.is_nan() || scale <= 0.0 {
            return None;
        }
        for column in 0..n {
            matrix[pivot][column] /= scale;
            inverse[pivot][column] /= scale;
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..n).filter(|row| *row != pivot) {
            let factor = matrix[row][pivot];
            if factor != 0.0 {
                for column in 0..n {
                    matrix[row][column] -= factor * pivot_row[column];
                    inverse[row][column] -= factor * pivot_inverse[column];
                }
            }
        }
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn results(table: &[(usize, usize, u32)]) -> Vec<BtResult> {
        let rows = table.iter();
        rows.map(|(winner, loser, count)| BtResult {
            winner: *winner,
            loser: *loser,
            count: f64::from(*count),
        })
        .collect()
    }

    /// Agresti, Categorical Data Analysis, table 10.10: the 1987 American League, Baltimore's coefficient being 0.
    #[test]
    fn agrestis_baseball() {
        // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: wins of the row over the column.
        let wins = [
            [0, 7, 9, 7, 7, 9, 11],
            [6, 0, 7, 5, 11, 9, 9],
            [4, 6, 0, 7, 7, 8, 12],
            [6, 8, 6, 0, 6, 7, 10],
            [6, 2, 6, 7, 0, 7, 12],
            [4, 4, 5, 6, 6, 0, 6],
            [2, 4, 1, 3, 1, 7, 0],
        ];
        let mut table = Vec::new();
        for (i, row) in wins.iter().enumerate() {
            for (j, count) in row.iter().enumerate().filter(|(j, _)| *j != i) {
                table.push((i, j, *count));
            }
        }
        let ratings = bradley_terry(7, &results(&table)).expect("a maximum");
        let coefficients = [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0.0];
        for (rating, expected) in ratings.iter().zip(coefficients) {
            let coefficient = (rating.elo - ratings[6].elo) / ELO_PER_UNIT;
            assert!((coefficient - expected).abs() < 5e-4, "{coefficient}");
        }
        assert!((ratings[0].elo - 92.27).abs() < 0.005, "{}", ratings[0].elo);
    }

    #[test]
    fn two_players_by_hand() {
        let ratings = bradley_terry(2, &results(&[(0, 1, 30), (1, 0, 10)])).expect("a maximum");
        let difference = ratings[0].elo - ratings[1].elo;
        assert!((difference - 400.0 * 3f64.log10()).abs() < 1e-9);
        // The variance of the log odds is 1/30 + 1/10; each player has half the difference.
        let expected = Z95 * (1.0 / 30.0 + 1.0 / 10.0f64).sqrt() / 2.0 * ELO_PER_UNIT;
        assert!((ratings[0].err.expect("small") - expected).abs() < 1e-6);
    }

    #[test]
    fn without_a_chain_of_wins_there_is_no_maximum() {
        assert_eq!(bradley_terry(1, &[]), Err(BtError::Empty));
        assert_eq!(
            bradley_terry(2, &results(&[(0, 1, 3)])),
            Err(BtError::Disconnected(vec![0]))
        );
        let apart = results(&[
            (0, 1, 1),
            (1, 0, 1),
            (2, 3, 1),
            (3, 2, 1),
            (3, 4, 1),
            (4, 3, 1),
        ]);
        assert_eq!(
            bradley_terry(5, &apart),
            Err(BtError::Disconnected(vec![0, 1]))
        );
        assert_eq!(
            bradley_terry(2, &results(&[(0, 0, 1)])),
            Err(BtError::BadResult(0))
        );
    }

    #[test]
    fn a_long_chain_of_players_converges() {
        let mut table = Vec::new();
        for player in 0..199 {
            table.push((player, player + 1, 3));
            table.push((player + 1, player, 1));
        }
        let ratings = bradley_terry(200, &results(&table)).expect("a maximum");
        for two in ratings.windows(2) {
            let difference = two[0].elo - two[1].elo;
            assert!(
                (difference - 400.0 * 3f64.log10()).abs() < 1e-6,
                "{difference}"
            );
        }
    }

    proptest! {
        /// At the maximum each player's expected wins are the real ones, and no small shift of one rating gains.
        #[test]
        fn the_maximum_is_one(counts in prop::collection::vec(1u32..20, 20)) {
            let mut table = Vec::new();
            let mut counts = counts.into_iter();
            for i in 0..5 {
                for j in (0..5).filter(|j| *j != i) {
                    table.push((i, j, counts.next().unwrap_or(1)));
                }
            }
            let results = results(&table);
            let games = Games::new(5, &results).expect("games");
            let ratings = bradley_terry(5, &results).expect("a maximum");
            let strengths: Vec<f64> = ratings.iter().map(|r| r.elo / ELO_PER_UNIT).collect();
            let best = games.log_likelihood(&strengths);
            for player in 0..5 {
                for shift in [-1e-3, 1e-3] {
                    let mut moved = strengths.clone();
                    moved[player] += shift;
                    prop_assert!(games.log_likelihood(&moved) < best);
                }
            }
            for part in games.gradient(&strengths) {
                prop_assert!(part.abs() < 1e-7, "{}", part);
            }
        }
    }
}
