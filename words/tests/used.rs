//! Every message of the terminal's files is said somewhere.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use grundy_words::{FILES, Language};

/// The files whose messages the terminal says.
const OF_TERMINAL: [&str; 22] = [
    "accounts",
    "board",
    "bots",
    "career",
    "ending",
    "explore",
    "failure",
    "faults",
    "figures",
    "load",
    "lobby",
    "match",
    "matches",
    "practice",
    "records",
    "reviewed",
    "screen",
    "sheet",
    "tournaments",
    "typed",
    "usage",
    "welcome",
];

/// Names that are made of a beginning and what a match, a performance or a theme is called.
const MADE: [&str; 1] = ["practice-"];

/// The text of every source of the program, and of what it says with the server.
fn sources() -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders =
        ["../client-cli/src", "../client-cli/templates", "src"].map(|folder| root.join(folder));
    let (mut folders, mut text) = (folders.to_vec(), String::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "rs" || end == "html")
            {
                text.push_str(&fs::read_to_string(path).expect("a text"));
            }
        }
    }
    text
}

#[test]
fn every_message_of_the_terminal_is_said() {
    let sources = sources();
    let inside: String = FILES.iter().map(|(_, _, text)| *text).collect();
    let mut found = 0;
    let mut unused = BTreeSet::new();
    for (file, language, text) in FILES {
        if *language != Language::English || !OF_TERMINAL.contains(file) {
            continue;
        }
        let names = text.lines().filter_map(|line| line.split_once(" ="));
        let names = names.map(|(name, _)| name);
        for name in names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())) {
            found += 1;
            let quoted = format!("\"{name}\"");
            // A heading that stands on the right begins with a sign.
            let right = format!("\">{name}\"");
            let is_said = sources.contains(&quoted) || sources.contains(&right);
            let is_inside = inside.contains(&format!("{{ {name} }}"));
            let is_made = MADE
                .iter()
                .any(|start| name.starts_with(start) && name.ends_with("-unknown"));
            if !is_said && !is_inside && !is_made {
                unused.insert(name);
            }
        }
    }
    assert!(found > 400, "{found}");
    assert!(unused.is_empty(), "{unused:?}");
}

/// What Chinese sentences of the terminal have in Latin letters: keys, commands with their arguments, words that are typed, names.
const TYPED: &str = "CA FALSE TRUE addext basicConstraints cert critical curve days ec key keyout live newkey nodes openssl paramgen pem pkeyopt req status subj subjectAltName tv \
all codes json learn online recovery Ctrl Enter Esc Tab KWQHRMTB Kq mVx Rt SG README Two people at home abort accept adjourn after anyone back before board \
bot bots budget challenges chat claim clock continue decline draw end fg forget games grundy help hint http https if invite kayles \
leaderboard limit list lobby local login match mine misere more moves mute name next nim no none offers open pause play ply pre profile \
provisional quit rated recover rematch resign resume review rules run say server show skip solution solve start token tournament two undo \
unmute watch whoami why withdraw wythoff yes Cup Elo LLR Nim SPRT arena cancel config confirm create elo family file format from fsck \
identity import join last logout mybot octal out password path period refresh revoke rotate rounds rows same scope since sum swiss table to \
until verify vs \
CN CONFIG CPU CSV DATA Grundy HOME HTML Hn KiB Ld MiB Mikhail PEM SVG TERM TLS Tal Tk UTF WnZe XDG XXR XXZ again against alice allow \
allowed alpha annotate annotated author auto best beta bob breaks builtin ca cd certificate check chmod client club cmd command day default \
depth directory dumb en env explain export fail fair fast first force full go greedy guests heaps hello hosts int knockout lang lines llr load \
make matches max me move ms ndjson new ok on opponents option options other pairs perfect player plies protocol puzzle py python random \
ready remote second seed seeds set side skill skills spawn sprt stats sub svg tau teacher text tie time toml trickster true type ulimit zh";

/// The text of a message's line without names of messages, forms and what is put in.
fn written(line: &str) -> String {
    let line = match line.split_once(" =") {
        Some((name, text)) if !name.contains(' ') => text,
        _ => line,
    };
    let line = line.trim_start().trim_start_matches('*');
    let line = match (line.starts_with('['), line.split_once(']')) {
        (true, Some((_, text))) => text,
        _ => line,
    };
    let mut text = String::new();
    let mut depth = 0;
    for c in line.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            c if depth == 0 => text.push(c),
            _ => {}
        }
    }
    text
}

#[test]
fn the_chinese_of_the_terminal_has_no_english_in_it() {
    let typed: BTreeSet<&str> = TYPED.split_whitespace().collect();
    let mut read = 0;
    for (file, language, text) in FILES {
        if *language != Language::Chinese || !OF_TERMINAL.contains(file) {
            continue;
        }
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let text = written(line);
            let words = text.split(|c: char| !c.is_ascii_alphabetic());
            let foreign: Vec<&str> = words
                .filter(|word| word.len() > 1 && !typed.contains(word))
                .collect();
            assert!(foreign.is_empty(), "{file}: {foreign:?} in {line}");
            read += usize::from(!text.is_ascii());
        }
    }
    assert!(read > 500, "{read}");
}
