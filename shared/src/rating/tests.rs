use super::*;

fn glickmans_games() -> [RatedGame; 3] {
    [
        (1400.0, 30.0, GameScore::Won),
        (1550.0, 100.0, GameScore::Lost),
        (1700.0, 300.0, GameScore::Lost),
    ]
    .map(|(opponent, deviation, score)| RatedGame {
        opponent,
        deviation,
        score,
    })
}

fn glickmans_player() -> Rating {
    Rating {
        deviation: 200.0,
        ..Rating::default()
    }
}

#[test]
fn the_published_example() {
    let after = after_period(&glickmans_player(), &glickmans_games(), 0.5).expect("in range");
    assert!((after.rating - 1464.06).abs() < 0.01, "{after:?}");
    assert!((after.deviation - 151.52).abs() < 0.005, "{after:?}");
    assert!((after.volatility - 0.05999).abs() < 1e-5, "{after:?}");
    // At full precision.
    assert!((after.rating - 1464.0507).abs() < 5e-4, "{after:?}");
    assert!((after.deviation - 151.5165).abs() < 5e-4, "{after:?}");
    assert!((after.volatility - 0.059_996_0).abs() < 5e-8, "{after:?}");
}

/// The update from its definition in Glickman's paper, with the volatility by plain bisection of f.
fn by_definition(player: &Rating, games: &[RatedGame], tau: f64) -> Rating {
    let scale = 173.7178;
    let (mu, phi) = ((player.rating - 1500.0) / scale, player.deviation / scale);
    let sigma = player.volatility;
    let g = |phi: f64| 1.0 / (1.0 + 3.0 * phi * phi / std::f64::consts::PI.powi(2)).sqrt();
    let (mut information, mut gain) = (0.0, 0.0);
    for game in games {
        let (mu_j, phi_j) = ((game.opponent - 1500.0) / scale, game.deviation / scale);
        let expected = 1.0 / (1.0 + (-g(phi_j) * (mu - mu_j)).exp());
        let score = match game.score {
            GameScore::Won => 1.0,
            GameScore::Drawn => 0.5,
            GameScore::Lost => 0.0,
        };
        information += g(phi_j).powi(2) * expected * (1.0 - expected);
        gain += g(phi_j) * (score - expected);
    }
    if games.is_empty() {
        return Rating {
            deviation: scale * phi.hypot(sigma),
            ..*player
        };
    }
    let v = 1.0 / information;
    let delta = v * gain;
    let a = (sigma * sigma).ln();
    let f = |x: f64| {
        let ex = x.exp();
        let sum = phi * phi + v + ex;
        ex * (delta * delta - sum) / (2.0 * sum * sum) - (x - a) / (tau * tau)
    };
    let (mut low, mut high) = (a - 40.0, a + 40.0);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if f(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let sigma = (low / 2.0).exp();
    let phi = 1.0 / (1.0 / (phi * phi + sigma * sigma) + 1.0 / v).sqrt();
    Rating {
        rating: scale * (mu + phi * phi * gain) + 1500.0,
        deviation: scale * phi,
        volatility: sigma,
    }
}

#[test]
fn the_library_follows_the_definition() {
    let scores = [GameScore::Won, GameScore::Drawn, GameScore::Lost];
    for seed in 0..200u32 {
        let player = Rating {
            rating: 1000.0 + f64::from(seed * 7 % 1000),
            deviation: 30.0 + f64::from(seed * 13 % 320),
            volatility: 0.03 + f64::from(seed % 10) * 0.01,
        };
        let games: Vec<RatedGame> = (0..seed % 12)
            .map(|game| RatedGame {
                opponent: 1100.0 + f64::from((seed + game * 37) * 11 % 900),
                deviation: 30.0 + f64::from((seed * 3 + game * 17) % 300),
                score: scores[((seed + game) % 3) as usize],
            })
            .collect();
        let tau = 0.3 + f64::from(seed % 5) * 0.2;
        let found = after_period(&player, &games, tau).expect("in range");
        let expected = by_definition(&player, &games, tau);
        assert!(
            (found.rating - expected.rating).abs() < 2e-3,
            "{found:?} {expected:?}"
        );
        assert!(
            (found.deviation - expected.deviation).abs() < 2e-3,
            "{found:?} {expected:?}"
        );
        assert!(
            (found.volatility - expected.volatility).abs() < 1e-7,
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn without_games_only_the_deviation_grows() {
    let after = after_period(&glickmans_player(), &[], 0.5).expect("in range");
    assert_eq!(after.rating, 1500.0);
    assert!(after.deviation > 200.0 && after.deviation < 201.0);
    // The root of 350^2 + (0.06 * 173.7178)^2.
    let newcomer = after_period(&Rating::default(), &[], 0.5).expect("in range");
    assert!(
        (newcomer.deviation - 350.155_2).abs() < 1e-4,
        "{newcomer:?}"
    );
    assert!(Rating::default().is_provisional());
}

#[test]
fn inputs_out_of_range_are_refused() {
    let player = glickmans_player();
    assert_eq!(after_period(&player, &[], 0.0), Err(RatingError::Tau));
    assert_eq!(after_period(&player, &[], f64::NAN), Err(RatingError::Tau));
    let mut bad = player;
    bad.deviation = 0.0;
    assert_eq!(after_period(&bad, &[], 0.5), Err(RatingError::Deviation));
    bad = player;
    bad.volatility = f64::INFINITY;
    assert_eq!(after_period(&bad, &[], 0.5), Err(RatingError::Volatility));
    bad = player;
    bad.rating = f64::NAN;
    assert_eq!(after_period(&bad, &[], 0.5), Err(RatingError::Rating));
}
