//! Rendered help, broken for a screen. The parser breaks lines at spaces only, which Chinese has not.

use unicode_width::UnicodeWidthStr as _;

use super::{padded, wrapped};

/// The columns of help that no screen limits, as those of the parser.
const WIDTH: usize = 100;

/// Rendered help, broken for a screen: a text beside an argument stays beside it, and texts stand under each other.
pub(crate) fn broken(help: &str, width: Option<usize>) -> String {
    let width = width.map_or(WIDTH, |width| width.min(WIDTH));
    let mut text = String::new();
    let mut block: Vec<&str> = Vec::new();
    for line in help.lines().chain([""]) {
        if line.starts_with(' ') {
            block.push(line);
            continue;
        }
        text.push_str(&broken_block(&block, width));
        block.clear();
        text.push_str(&wrapped(line, Some(width)));
        text.push('\n');
    }
    format!("{}\n", text.trim_end())
}

/// Lines that stand together.
fn broken_block(lines: &[&str], width: usize) -> String {
    let parts: Vec<(&str, Option<&str>)> = lines.iter().map(|line| parts(line)).collect();
    let heads = parts.iter().filter(|(_, beside)| beside.is_some());
    let column = heads.map(|(head, _)| head.width() + 2).max().unwrap_or(0);
    let broken = parts.iter().map(|(head, beside)| match beside {
        Some(beside) => {
            let room = width.saturating_sub(column).max(LEAST);
            let space = " ".repeat(column);
            let beside = wrapped(beside, Some(room)).replace('\n', &format!("\n{space}"));
            format!("{}{beside}\n", padded(head, column))
        }
        // An example is not broken, so that it can be copied.
        None if is_example(head) => format!("{head}\n"),
        None => wrapped(head, Some(width)) + "\n",
    });
    broken.collect()
}

/// An argument and the text beside it, which stands after two spaces or more.
fn parts(line: &str) -> (&str, Option<&str>) {
    let text = line.trim_start();
    let gap = text.find("  ").filter(|_| !is_example(line));
    match gap {
        None => (line, None),
        Some(gap) => {
            let head = line.len() - text.len() + gap;
            (&line[..head], Some(line[head..].trim_start()))
        }
    }
}

fn is_example(line: &str) -> bool {
    let line = line.trim_start();
    ["grundy ", "printf "]
        .iter()
        .any(|program| line.starts_with(program))
}

/// The fewest columns of a text beside an argument.
const LEAST: usize = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_stand_beside_their_arguments_and_under_each_other() {
        let wide = "\u{5b57}".repeat(20);
        let help = format!("Head\n  --flag <\u{540d}>  {wide}\n  --other     x\n");
        let broken = broken(&help, Some(40));
        let lines: Vec<&str> = broken.lines().collect();
        let space = " ".repeat(15);
        assert!(
            lines[2].starts_with(&format!("{space}\u{5b57}")),
            "{broken}"
        );
        assert_eq!(lines[3], "  --other      x", "{broken}");
        let example = "  grundy play nim:3,5,7 --local --side first\n";
        assert_eq!(super::broken(example, Some(20)), example);
    }
}
