//! The language of verdicts, reasons and hints.

use std::collections::BTreeSet;

use crate::program::{Home, Ran};

/// What a Chinese answer may have of Latin letters: notation and what is typed.
const FOREIGN: [&str; 9] = [
    "SG", "all", "explain", "grundy", "hint", "max", "moves", "nim", "why",
];

/// The words of Latin letters, two letters at least.
pub(crate) fn latin(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_ascii_alphabetic())
        .filter(|word| word.len() > 1)
        .collect()
}

fn is_chinese(ran: &Ran) {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let allowed = BTreeSet::from(FOREIGN);
    let words = latin(&ran.stdout);
    let foreign: Vec<_> = words.difference(&allowed).collect();
    assert!(foreign.is_empty(), "{foreign:?} in {}", ran.stdout);
    assert!(ran.stdout.contains(['\u{80dc}', '\u{8d25}']), "{ran:?}");
}

#[test]
fn verdicts_and_reasons_are_in_the_language_of_the_flag() {
    let home = Home::new();
    for asked in [
        &["solve", "nim:1,4,6,7"][..],
        &["solve", "nim:1,4,6,7", "--all"],
        &["solve", "nim:2,2", "--all", "--max-moves", "1"],
        &["explain", "nim:1,4,6,7"],
        &["explain", "nim:1,4,6,7", "--move", "A-1", "--move", "B-4"],
    ] {
        is_chinese(&home.run(&[asked, &["--lang", "zh-CN"]].concat()));
        let json = [asked, &["--json"]].concat();
        let spoken = [&json[..], &["--lang", "zh-CN"]].concat();
        // The time and the work differ from run to run in some of them.
        assert_eq!(home.run(&json).code, home.run(&spoken).code);
    }
    let json = ["explain", "nim:3,5,7", "--move", "A-2", "--json"];
    let spoken = [&json[..], &["--lang", "zh-CN"]].concat();
    assert_eq!(home.run(&json).stdout, home.run(&spoken).stdout);
}

/// What repairs one component loses if others are beside it or other laws join them.
#[test]
fn the_table_of_nim_beside_other_components_gives_no_advice() {
    let home = Home::new();
    let sum = home.run(&["explain", "nim:3,5+nim:4", "--lang", "zh-CN"]);
    assert_eq!(sum.code, Some(0), "{sum:?}");
    for row in ["单独看子游戏 1：", "单独看子游戏 2：", "5   1 . 1"] {
        assert!(sum.stdout.contains(row), "{row}: {sum:?}");
    }
    assert!(!sum.stdout.contains("->"), "{sum:?}");
    assert!(!sum.stdout.contains("改变含"), "{sum:?}");
    let every = home.run(&["explain", "nim:3+nim:5+nim:7@every", "--lang", "zh-CN"]);
    assert_eq!(every.code, Some(0), "{every:?}");
    assert!(!every.stdout.contains("异或"), "{every:?}");
}

/// A theorem about moves shows that some win, and the others were not looked at.
#[test]
fn moves_that_are_known_to_win_are_not_called_the_first_of_many() {
    let position = format!("chomp:{}13", "13,".repeat(12));
    let home = Home::new();
    let solve = ["solve", &position, "--budget", "2s"];
    let ran = home.run(&solve);
    assert!(
        ran.stdout
            .contains("The listed moves are known to win; others may win as well."),
        "{ran:?}"
    );
    let ran = home.run(&[&solve[..], &["--lang", "zh-CN"]].concat());
    assert!(ran.stdout.contains("其他着法也可能必胜。"), "{ran:?}");
}

#[test]
fn an_explanation_names_all_winning_moves_and_has_the_table_of_nim() {
    let home = Home::new();
    let chinese = |position| {
        let ran = home.run(&["explain", position, "--lang", "zh-CN"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.stdout
    };
    let nim = chinese("nim:1,4,6,7");
    let english = home.run(&["explain", "nim:1,4,6,7"]).stdout;
    for row in [
        "4 2 1",
        "1   . . 1",
        "4   1 . .",
        "6   1 1 .",
        "7   1 1 1",
        "B 4 -> 0",
    ] {
        assert!(english.contains(row), "{row}: {english}");
        assert!(nim.contains(row), "{row}: {nim}");
    }
    for position in ["nim:1,4,6,7", "stairs:2,3,1,0,2"] {
        let said = chinese(position);
        let solved = home.run(&["solve", position, "--json"]).json();
        let winning = solved["winning_moves"].as_array().expect("a list");
        assert!(winning.len() > 1, "{position}");
        for won in winning {
            let mv = won["move"].as_str().expect("a move");
            assert!(said.contains(mv), "{mv}: {said}");
        }
    }
    assert!(chinese("northcott:x..o./.o.x.").contains("\u{540e}\u{9000}"));
}

#[test]
fn columns_line_up_in_letters_that_are_two_columns_wide() {
    let ran = Home::new().run(&["solve", "nim:3,5,7", "--lang", "zh-CN"]);
    let table: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("  "))
        .collect();
    let end = |line: &str| {
        let wide = |c: char| if c.is_ascii() { 1 } else { 2 };
        line.chars().map(wide).sum::<usize>()
    };
    // The last column has numbers, which stand on the right.
    let ends: BTreeSet<usize> = table.iter().take(4).map(|line| end(line)).collect();
    assert_eq!((table.len() >= 4, ends.len()), (true, 1), "{table:#?}");
}

#[test]
fn the_language_comes_from_flag_variable_file_and_locale_in_this_order() {
    let home = Home::new();
    let speaks = |variables: &[(&str, &str)], more: &[&str]| {
        let arguments = [&["solve", "nim:3,5,7"], more].concat();
        let mut command = home.command(&arguments);
        command.envs(variables.iter().copied());
        let ran: Ran = command.output().expect("the program runs").into();
        assert_eq!(ran.code, Some(0), "{ran:?}");
        match ran.stdout.contains("the player to move wins") {
            true => "en",
            false => "zh",
        }
    };
    let (locale, all) = (("LANG", "zh_CN.UTF-8"), ("LC_ALL", "C.UTF-8"));
    assert_eq!(speaks(&[], &[]), "en");
    assert_eq!(speaks(&[locale], &[]), "zh");
    assert_eq!(speaks(&[locale, all], &[]), "en");
    assert_eq!(speaks(&[("LANG", "de_DE.UTF-8")], &[]), "en");
    let file = home.write("own.toml", "lang = \"zh-CN\"\n");
    let own = ["--config", file.to_str().expect("UTF-8")];
    assert_eq!(speaks(&[], &own), "zh");
    assert_eq!(speaks(&[("GRUNDY_LANG", "en")], &own), "en");
    let flag = [&own[..], &["--lang", "zh"]].concat();
    assert_eq!(speaks(&[("GRUNDY_LANG", "en")], &flag), "zh");
}

#[test]
fn an_unknown_language_is_refused_with_those_that_are_there() {
    let home = Home::new();
    let ran = home.run(&["solve", "nim:3", "--lang", "tlh"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(
        ran.stderr.contains("--lang") && ran.stderr.contains("en, zh-CN"),
        "{ran:?}"
    );
}

#[test]
fn in_bot_new_the_flag_is_the_language_of_the_program() {
    let home = Home::new();
    let ran = home.run(&["bot", "new", "--lang", "python", "mybot"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(home.file("mybot/bot.py").is_file());
    let ran = home.run(&["bot", "new", "--lang", "zh-CN", "other"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert!(ran.stderr.contains("python"), "{ran:?}");
}

#[test]
fn hints_are_in_the_language_of_the_locale() {
    let home = Home::new();
    let mut play = home.command(&["play", "nim:1,2", "--local", "--side", "first"]);
    play.env("LANG", "zh_CN.UTF-8");
    play.stdin(std::process::Stdio::piped());
    play.stdout(std::process::Stdio::piped());
    let mut child = play.spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut stdin, b"hint\nwhy\nB-1\n").expect("typed");
    drop(stdin);
    let ran: Ran = child.wait_with_output().expect("it ends").into();
    for said in ["\u{53ea}\u{6709} 1 \u{79cd}\u{5fc5}\u{80dc}", "SG \u{503c}"] {
        assert!(ran.stdout.contains(said), "{said}: {ran:?}");
    }
}
