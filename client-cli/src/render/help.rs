//! Rendered help, broken for a screen. The parser breaks lines at spaces only, which Chinese has not.

use unicode_width::UnicodeWidthStr as _;

use super::wrapped;

/// The columns of help that no screen limits, as those of the parser.
const WIDTH: usize = 100;

/// Rendered help, broken for a screen: a text beside an argument stays beside it.
pub(crate) fn broken(help: &str, width: Option<usize>) -> String {
    let width = width.map_or(WIDTH, |width| width.min(WIDTH));
    let lines = help.lines().map(|line| broken_line(line, width));
    lines.map(|line| line + "\n").collect()
}

fn broken_line(line: &str, width: usize) -> String {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    // Two spaces end what a text stands beside. A command of an example is not broken, so that it can be copied.
    let beside = text.find("  ").map(|end| {
        let rest = text[end..].trim_start();
        line.len() - rest.len()
    });
    let is_example = text.starts_with("grundy ") || text.starts_with("printf ");
    if is_example || line.width() <= width {
        return line.to_owned();
    }
    let beside = beside.unwrap_or(indent);
    let (head, rest) = line.split_at(beside);
    let room = width.saturating_sub(head.width()).max(LEAST);
    let rest = wrapped(rest, Some(room));
    let space = " ".repeat(head.width());
    format!("{head}{}", rest.replace('\n', &format!("\n{space}")))
}

/// The fewest columns of a text beside an argument.
const LEAST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_beside_an_argument_stays_beside_it() {
        let line = format!("  --flag  {}", "\u{5b57}".repeat(20));
        let broken = broken_line(&line, 30);
        let lines: Vec<&str> = broken.lines().collect();
        assert!(lines.len() > 1, "{broken}");
        assert!(lines[1].starts_with("          \u{5b57}"), "{broken}");
        let example = "  grundy play nim:3,5,7 --local --side first";
        assert_eq!(broken_line(example, 20), example);
    }
}
