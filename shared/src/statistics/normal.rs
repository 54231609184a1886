//! The normal distribution.

/// The 97.5 % point of the standard normal distribution: the half width of a two-sided 95 % interval in standard errors.
pub const Z95: f64 = 1.959_963_984_540_054;

/// The chance that a standard normal variable is at most `z`.
#[must_use]
pub fn normal_cdf(z: f64) -> f64 {
    // erfc keeps its digits in both tails, where 1 + erf would lose them.
    0.5 * libm::erfc(-z / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_points() {
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((normal_cdf(Z95) - 0.975).abs() < 1e-12);
        assert!((normal_cdf(-Z95) - 0.025).abs() < 1e-12);
        // Abramowitz and Stegun, table 26.1.
        assert!((normal_cdf(1.0) - 0.841_344_746_068_543).abs() < 1e-12);
        assert!((normal_cdf(-8.0) / 6.220_960_574_271_785e-16 - 1.0).abs() < 1e-9);
    }
}
