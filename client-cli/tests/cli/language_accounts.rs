//! Accounts, the periods of values and the arena in Chinese: nothing in them is English but names, notation and what is typed.

use serde_json::Value;

use crate::language_lists::says;
use crate::language_match::{fed, guest, run};
use crate::program::Home;
use crate::server::Server;

#[test]
fn accounts_tokens_and_identities() {
    let server = Server::start_with(&["--profile", "load"]);
    let home = Home::at(&server.url);
    let url = &*server.url;
    let first = guest(&home);
    let mut names = vec![
        url, &*first, "default", "Ada", "Ben", "reader", "watch", "zzz",
    ];
    let scopes = "account admin bot play tournament read own";
    names.push(scopes);
    says(&run(&home, &["whoami"]), 0, &names);
    says(&run(&home, &["mute"]), 0, &names);
    says(&run(&home, &["logout"]), 7, &names);
    let tokens = tokens_of(&home);
    let tokens_of_guest: Vec<&str> = tokens.iter().map(String::as_str).collect();
    says(
        &run(&home, &["token", "list"]),
        0,
        &[&names[..], &tokens_of_guest].concat(),
    );
    says(&run(&home, &["name", "Ada"]), 0, &names);
    let other = Home::at(url);
    other.run(&["name", "Ben"]);
    says(&run(&home, &["mute", "Ben"]), 0, &names);
    says(&run(&home, &["mute"]), 0, &names);
    says(&run(&home, &["unmute", "Ben"]), 0, &names);
    says(&run(&home, &["password"]), 2, &names);
    let password = ["password", "--password-file", "-"];
    let set = fed(&home, &password, "correct horse\n");
    let codes: Vec<String> = codes(&set.stdout);
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    says(&set, 0, &[&names[..], &codes].concat());
    let create = [
        "token",
        "create",
        "reader",
        "--scope",
        "watch",
        "--to",
        "reader.token",
    ];
    names.push("reader.token");
    says(&run(&home, &create), 0, &names);
    let read = ["--token-file", "reader.token", "whoami"];
    says(&run(&home, &read), 0, &names);
    let tokens: Vec<String> = tokens_of(&home);
    let tokens: Vec<&str> = tokens.iter().map(String::as_str).collect();
    let names = [&names[..], &tokens].concat();
    says(&run(&home, &["token", "list"]), 0, &names);
    says(&run(&home, &["token", "revoke", "zzz"]), 4, &names);
    says(&run(&home, &["token", "revoke", "reader"]), 0, &names);
    says(&run(&home, &read), 6, &names);
    let export = ["identity", "export", "ada.sealed", "--passphrase-file", "-"];
    let names = [&names[..], &["ada.sealed"]].concat();
    says(&fed(&home, &export, "short\n"), 3, &names);
    says(&fed(&home, &export, "four words that differ\n"), 0, &names);
    let sealed = std::fs::read_to_string(home.file("ada.sealed")).expect("the file");
    other.write("ada.sealed", &sealed);
    let import = ["identity", "import", "ada.sealed", "--passphrase-file", "-"];
    says(&fed(&other, &import, "four words that differ\n"), 0, &names);
    let login = ["login", "Ada", "--password-file", "-"];
    let laptop = Home::at(url);
    says(&fed(&laptop, &login, "wrong horse\n"), 6, &names);
    says(&fed(&laptop, &login, "correct horse\n"), 0, &names);
    says(&run(&laptop, &["logout"]), 0, &names);
    says(&run(&laptop, &["logout"]), 6, &names);
    let recover = ["recover", "Ada", "--code-file", "-", "--password-file", "-"];
    let typed = format!("{}\nanother horse\n", codes[0]);
    says(&fed(&laptop, &recover, &typed), 0, &names);
    // The first computer is signed out by that.
    says(&run(&home, &["whoami"]), 6, &names);
}

/// What `password` prints that are no words: the codes on lines of their own.
fn codes(text: &str) -> Vec<String> {
    let lines = text.lines().filter(|line| line.starts_with("  "));
    lines.map(|line| line.trim().to_owned()).collect()
}

/// The first characters, names and scopes of the tokens.
fn tokens_of(home: &Home) -> Vec<String> {
    let list = home.run(&["token", "list", "--json"]).json();
    let tokens = list["tokens"].as_array().expect("tokens");
    let texts = tokens.iter().flat_map(|token| {
        let scopes = token["scopes"].as_array().into_iter().flatten();
        [&token["prefix"], &token["name"]].into_iter().chain(scopes)
    });
    texts.filter_map(Value::as_str).map(str::to_owned).collect()
}

#[test]
fn periods_of_values_and_the_arena() {
    let home = Home::new();
    for (asked, code) in [
        (&["rules", "period", "octal.0.77"][..], 0),
        (&["rules", "period", "grundy", "--to", "100"], 0),
        (&["rules", "period", "cram"], 3),
        (&["rules", "table", "grundy", "--to", "1000000000"], 3),
    ] {
        says(&run(&home, asked), code, &["cram"]);
    }
    let arena = [
        "arena", "--bot", "perfect", "--bot", "random", "--pairs", "2", "--start", "nim:1,2",
        "--out", "duel",
    ];
    let ran = run(&home, &arena);
    let hashes: Vec<&str> = ran
        .stderr
        .split_whitespace()
        .filter(|word| word.len() >= 64)
        .collect();
    let hashes: Vec<&str> = hashes
        .iter()
        .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()))
        .collect();
    let hashes = hashes.join(" ");
    says(
        &ran,
        0,
        &["perfect", "random", "duel", "Elo SPRT LLR elo", &hashes],
    );
    let sprt = [
        "arena",
        "--bot",
        "perfect",
        "--bot",
        "greedy",
        "--pairs",
        "2",
        "--start",
        "nim:1,2",
        "--sprt",
        "elo0=0,elo1=10",
    ];
    says(
        &run(&home, &sprt),
        0,
        &["perfect", "greedy", "Elo SPRT LLR elo"],
    );
    let swiss = [
        "arena", "--bot", "perfect", "--bot", "random", "--bot", "greedy", "--pairs", "1",
        "--start", "nim:1,2", "--format", "swiss", "--rounds", "2",
    ];
    says(
        &run(&home, &swiss),
        0,
        &["perfect", "random", "greedy", "Elo"],
    );
}
