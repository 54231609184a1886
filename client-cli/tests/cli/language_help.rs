//! The help of commands in Chinese.

use crate::program::Home;

/// Words that stand in every English text.
const ENGLISH: [&str; 14] = [
    "the",
    "of",
    "and",
    "with",
    "are",
    "is",
    "this",
    "that",
    "Print",
    "Show",
    "Usage:",
    "Options:",
    "Commands:",
    "default:",
];

/// The help has no English outside of examples.
fn is_chinese(help: &str) {
    let prose = help.lines().filter(|line| {
        let line = line.trim_start();
        !line.starts_with("grundy ") && !line.starts_with("printf ")
    });
    for line in prose {
        let words = line.split(|c: char| !(c.is_ascii_alphabetic() || c == ':'));
        for word in words {
            assert!(!ENGLISH.contains(&word), "{word} in {line}");
        }
    }
    assert!(help.contains("\u{7528}\u{6cd5}\u{ff1a}"), "{help}");
}

#[test]
fn the_help_of_commands_is_in_the_language_of_flag_and_locale() {
    let home = Home::new();
    for asked in [
        &["--help"][..],
        &["-h"],
        &["help", "play"],
        &["play", "--help"],
        &["help", "tournament", "create"],
        &["token", "create", "-h"],
        &["bot", "check", "--help"],
        &["stats", "player", "--help"],
        &["tournament"],
    ] {
        let ran = home.run(&[&["--lang", "zh-CN"], asked].concat());
        let help = format!("{}{}", ran.stdout, ran.stderr);
        is_chinese(&help);
        let mut command = home.command(asked);
        command.env("LANG", "zh_CN.UTF-8");
        let output = command.output().expect("the program runs");
        let text = [output.stdout, output.stderr].concat();
        assert_eq!(String::from_utf8_lossy(&text), help, "{asked:?}");
        let english = home.run(asked);
        let english = format!("{}{}", english.stdout, english.stderr);
        assert!(english.contains("Usage:"), "{english}");
    }
    let ran = home.run(&["--version", "--lang", "zh-CN"]);
    assert!(ran.stdout.starts_with("grundy "), "{ran:?}");
}

#[test]
fn help_fits_the_usual_width() {
    let home = Home::new();
    let ran = home.run(&["play", "--help", "--lang", "zh-CN"]);
    let wide = |c: char| if c.is_ascii() { 1 } else { 2 };
    let too_wide = ran.stdout.lines().find(|line| {
        let is_example = line.trim_start().starts_with("grundy ");
        !is_example && line.chars().map(wide).sum::<usize>() > 104
    });
    assert_eq!(too_wide, None, "{ran:?}");
}
