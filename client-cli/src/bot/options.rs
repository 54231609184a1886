//! The options that a user sets: whether they can be written on a line, and whether the bot offered them.

use std::collections::BTreeMap;

use grundy_shared::notation::nearest;

use super::escape::quoted;
use super::family::MARK;
use super::line::LINE_BYTES;

/// Options that a message lists at most.
const LISTED: usize = 8;

/// Why an option cannot be set, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refusal {
    pub(crate) why: String,
    pub(crate) hint: String,
}

/// Whether `set NAME VALUE` is one line that says just that.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn check_line(name: &str, value: &str) -> Result<(), String> {
    let shown = quoted(name.as_bytes());
    if name.is_empty() {
        return Err("[options]: an option needs a name, as in depth = 5".to_owned());
    }
    if name.chars().any(|c| c.is_whitespace() || is_control(c)) {
        return Err(format!(
            "[options] '{shown}': a name must not contain spaces, line breaks or control characters"
        ));
    }
    if value.chars().any(is_control) {
        return Err(format!(
            "[options] {shown}: the value must not contain line breaks or control characters"
        ));
    }
    if "set  ".len() + name.len() + value.len() > LINE_BYTES {
        return Err(format!(
            "[options] {shown}: the value does not fit on a line of {} KiB",
            LINE_BYTES >> 10
        ));
    }
    Ok(())
}

/// Whether a bot can get this variable.
///
/// # Errors
/// What is wrong, in words.
pub(crate) fn check_variable(name: &str, value: &str) -> Result<(), String> {
    let shown = quoted(name.as_bytes());
    if name == MARK {
        return Err(format!(
            "[env] {MARK}: the runner sets this variable to find the processes of the bot"
        ));
    }
    if name.is_empty() || name.contains('=') || name.chars().any(is_control) {
        return Err(format!(
            "[env] '{shown}': the name of a variable must not be empty, and must not contain '=' or control characters"
        ));
    }
    if value.contains('\0') {
        return Err(format!(
            "[env] {shown}: the value must not contain a NUL character"
        ));
    }
    Ok(())
}

/// Control characters, and the two line breaks that are none.
fn is_control(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether a bot that offered these options can take the values.
///
/// # Errors
/// It did not offer one of them, or the value is outside its range.
pub(crate) fn check_offered(
    offered: &[BTreeMap<String, String>],
    wanted: &[(String, String)],
) -> Result<(), Refusal> {
    for (name, value) in wanted {
        let found = offered
            .iter()
            .find(|option| option.get("name") == Some(name));
        let Some(option) = found else {
            return Err(not_offered(name, offered));
        };
        if !takes(option, value) {
            let example = match option.get("default") {
                Some(default) if takes(option, default) => default,
                _ => option.get("min").map_or("5", |least| least),
            };
            return Err(Refusal {
                why: format!(
                    "[options] {} = {}: the bot takes {}",
                    quoted(name.as_bytes()),
                    quoted(value.as_bytes()),
                    kind(option)
                ),
                hint: format!(
                    "write a value that it takes, such as {} = {}",
                    quoted(name.as_bytes()),
                    quoted(example.as_bytes())
                ),
            });
        }
    }
    Ok(())
}

fn not_offered(name: &str, offered: &[BTreeMap<String, String>]) -> Refusal {
    let why = format!(
        "[options] {}: the bot does not offer this option",
        quoted(name.as_bytes())
    );
    let names = || offered.iter().filter_map(|option| option.get("name"));
    let mut list: Vec<String> = offered
        .iter()
        .filter_map(|option| {
            let name = quoted(option.get("name")?.as_bytes());
            Some(format!("{name} ({})", kind(option)))
        })
        .take(LISTED)
        .collect();
    if names().count() > LISTED {
        list.push("and others".to_owned());
    }
    let hint = match (nearest(name, names().map(|name| &**name)), list.is_empty()) {
        (_, true) => "it offers no options: remove [options] from its file".to_owned(),
        (Some(near), _) => format!(
            "did you mean {}? It offers {}",
            quoted(near.as_bytes()),
            list.join(", ")
        ),
        (None, _) => format!("it offers {}", list.join(", ")),
    };
    Refusal { why, hint }
}

/// The end of the range of an option, if it has one that is a number.
fn bound(option: &BTreeMap<String, String>, key: &str) -> Option<i128> {
    option.get(key)?.parse().ok()
}

fn is_int(option: &BTreeMap<String, String>) -> bool {
    option.get("type").is_some_and(|kind| kind == "int")
}

/// Whether an option takes a value. Of a type that this runner does not know, it takes anything.
fn takes(option: &BTreeMap<String, String>, value: &str) -> bool {
    if !is_int(option) {
        return true;
    }
    let Ok(number) = value.parse::<i128>() else {
        return false;
    };
    bound(option, "min").is_none_or(|least| least <= number)
        && bound(option, "max").is_none_or(|most| number <= most)
}

/// What an option takes, in words.
fn kind(option: &BTreeMap<String, String>) -> String {
    if !is_int(option) {
        return "text".to_owned();
    }
    match (bound(option, "min"), bound(option, "max")) {
        (Some(least), Some(most)) => format!("a whole number from {least} to {most}"),
        (Some(least), None) => format!("a whole number of at least {least}"),
        (None, Some(most)) => format!("a whole number of at most {most}"),
        (None, None) => "a whole number".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::line::fields;
    use super::*;

    fn offered(lines: &[&str]) -> Vec<BTreeMap<String, String>> {
        let lines = lines.iter();
        lines
            .map(|line| fields(line.split_ascii_whitespace()))
            .collect()
    }

    fn check(offers: &[&str], name: &str, value: &str) -> Result<(), Refusal> {
        check_offered(&offered(offers), &[(name.to_owned(), value.to_owned())])
    }

    #[test]
    fn a_value_is_of_the_type_and_in_the_range_that_the_bot_offered() {
        let depth = "name depth type int default 5 min 1 max 9";
        for good in ["1", "5", "9"] {
            assert_eq!(check(&[depth], "depth", good), Ok(()));
        }
        for bad in ["0", "10", "-3", "x", "5.5", "", "5 6", &"9".repeat(50)] {
            let refusal = check(&[depth], "depth", bad).expect_err(bad);
            assert!(refusal.why.contains("from 1 to 9"), "{refusal:?}");
            assert!(refusal.hint.contains("depth = 5"), "{refusal:?}");
        }
        for (bounds, good, bad) in [
            ("min 3", "3", "2"),
            ("max 3", "-9", "4"),
            ("max x", "9", "y"),
        ] {
            let option = format!("name depth type int default 3 {bounds}");
            assert_eq!(check(&[&option], "depth", good), Ok(()));
            assert!(check(&[&option], "depth", bad).is_err());
        }
        for any in ["", "a b", "7"] {
            assert_eq!(
                check(&["name book type text default x"], "book", any),
                Ok(())
            );
            assert_eq!(check(&["name book type novelty"], "book", any), Ok(()));
        }
    }

    #[test]
    fn an_option_that_was_not_offered_is_refused_with_the_nearest_name() {
        let depth = "name depth type int default 5 min 1 max 9";
        let near = check(&[depth, "name book type text"], "dept", "7").expect_err("not offered");
        assert!(near.why.contains("dept"), "{near:?}");
        assert!(near.hint.contains("did you mean depth?"), "{near:?}");
        assert!(near.hint.contains("book (text)"), "{near:?}");
        let far = check(&[depth], "colour", "7").expect_err("not offered");
        assert!(far.hint.starts_with("it offers depth"), "{far:?}");
        let none = check(&[], "depth", "7").expect_err("not offered");
        assert!(none.hint.contains("no options"), "{none:?}");
        let many: Vec<String> = (0..50).map(|n| format!("name o{n:04} type text")).collect();
        let many: Vec<&str> = many.iter().map(|line| &**line).collect();
        let long = check(&many, "depth", "7").expect_err("not offered");
        assert!(long.hint.ends_with("and others"), "{long:?}");
    }

    #[test]
    fn an_option_is_one_line() {
        assert_eq!(check_line("text", "a b"), Ok(()));
        assert_eq!(check_line("text", ""), Ok(()));
        for (name, value) in [
            ("", "a"),
            ("a b", "c"),
            ("a\nquit", "c"),
            ("text", "a\nquit"),
            ("text", "a\rquit"),
            ("text", "a\u{0}"),
            ("text", "a\u{1b}[2J"),
            ("text", "a\u{85}quit"),
            ("text", "a\u{2028}quit"),
            ("text", &"x".repeat(LINE_BYTES)),
        ] {
            let why = check_line(name, value).expect_err("refused");
            assert!(!why.contains('\n') && why.len() < 400, "{why}");
        }
    }

    #[test]
    fn a_variable_has_a_name_of_its_own() {
        assert_eq!(check_variable("THREADS", "1\n2"), Ok(()));
        for (name, value) in [
            ("", "x"),
            ("A=B", "x"),
            (MARK, "mine"),
            ("A\0", ""),
            ("A", "\0"),
        ] {
            assert!(check_variable(name, value).is_err(), "{name}");
        }
    }
}
