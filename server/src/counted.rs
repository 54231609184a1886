//! Numbers with their nouns, as sentences need them.

/// A number with its noun, of which a regular one ends in `s` where there is not exactly one.
#[must_use]
pub fn counted(count: u64, noun: &str) -> String {
    counted_as(count, noun, &format!("{noun}s"))
}

/// A number with its noun in one form for one and another for any other number.
#[must_use]
pub fn counted_as(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_is_singular() {
        for (count, logs, matches) in [
            (0, "0 logs", "0 matches"),
            (1, "1 log", "1 match"),
            (2, "2 logs", "2 matches"),
            (21, "21 logs", "21 matches"),
            (101, "101 logs", "101 matches"),
        ] {
            assert_eq!(counted(count, "log"), logs);
            assert_eq!(counted_as(count, "match", "matches"), matches);
        }
    }
}
