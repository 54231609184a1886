//! Accounts: a second computer is a second home.

use std::fs;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;

use rustix::termios::{LocalModes, tcgetattr};
use serde_json::json;

use crate::bots::block;
use crate::online::{invite, pair};
use crate::program::{Home, Ran};
use crate::server::Server;

const PASSWORD: &str = "correct horse";

/// A server that lets one address try as often as a test does.
fn server() -> Server {
    Server::start_with(&["--profile", "load"])
}

/// A guest of this name sets a password; the recovery codes.
fn claim(home: &Home, name: &str) -> Vec<String> {
    assert_eq!(home.run(&["name", name]).code, Some(0));
    let arguments = ["password", "--password-file", "-", "--json"];
    let ran = home.feed(&arguments, &format!("{PASSWORD}\n"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let set = ran.json();
    assert_eq!(set["password_set"], true);
    let codes = set["recovery_codes"].as_array().expect("codes").iter();
    codes
        .map(|code| code.as_str().expect("a code").to_owned())
        .collect()
}

fn login(home: &Home, name: &str, password: &str) -> Ran {
    home.feed(
        &["login", name, "--password-file", "-"],
        &format!("{password}\n"),
    )
}

#[test]
fn a_person_goes_on_playing_on_a_second_computer() {
    let server = server();
    let (home, other) = (Home::at(&server.url), Home::at(&server.url));
    let (mut a, mut b, id) = pair(&home, &other, "nim:3,5");
    a.types("a-1");
    b.says("Your move");
    claim(&home, "Ada");
    let laptop = Home::at(&server.url);
    // Somebody who has been there as a guest before.
    assert_eq!(laptop.run(&["whoami"]).code, Some(0));
    let ran = login(&laptop, "ada", PASSWORD);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("You are signed in as Ada"), "{ran:?}");
    assert!(ran.stderr.contains("1 unfinished match"), "{ran:?}");
    let who = laptop.run(&["whoami", "--json"]).json();
    assert_eq!(
        (&who["player"]["name"], &who["claimed"]),
        (&json!("Ada"), &json!(true))
    );
    let mut again = laptop.start(&["resume", &id]);
    again.says("is to move");
    // The first computer has lost the seat to the second, and does not fight for it.
    b.types("a-1");
    again.says("Your move");
    again.types("a-1");
    b.says("Your move");
    b.types("b-5");
    b.says("You win");
    again.says("wins");
    let credentials = laptop.file(".config/grundy/credentials.toml");
    let text = fs::read_to_string(&credentials).expect("the file");
    assert!(!text.contains(PASSWORD));
    let mode = fs::metadata(&credentials)
        .expect("the file")
        .permissions()
        .mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_login_that_fails_says_what_to_do_and_changes_nothing() {
    let server = server();
    let (home, laptop) = (Home::at(&server.url), Home::at(&server.url));
    claim(&home, "Ada");
    for (name, password) in [("Ada", "wrong horse"), ("Bo", PASSWORD)] {
        let ran = login(&laptop, name, password);
        assert_eq!(ran.code, Some(6), "{ran:?}");
        assert!(ran.stderr.contains("grundy recover"), "{ran:?}");
        assert!(!ran.stderr.contains(password), "{ran:?}");
    }
    assert!(!laptop.file(".config/grundy/credentials.toml").exists());
    // Nobody can be asked, and a password is never an argument.
    let ran = laptop.run(&["login", "Ada", "--json"]);
    assert_eq!(
        (ran.code, &ran.error()["exit"]),
        (Some(2), &json!(2)),
        "{ran:?}"
    );
    assert!(ran.stderr.contains("--password-file"), "{ran:?}");
    assert_eq!(
        laptop.run(&["login", "Ada", "--password", PASSWORD]).code,
        Some(2)
    );
    let ran = laptop.run(&["login", "Ada", "--password-file", "none"]);
    assert_eq!(ran.code, Some(4), "{ran:?}");
    let ran = laptop.run(&["logout"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("not signed in"), "{ran:?}");
}

#[test]
fn after_a_logout_the_computer_is_a_stranger_and_a_guest_is_warned() {
    let server = server();
    let home = Home::at(&server.url);
    assert_eq!(home.run(&["name", "Ada"]).code, Some(0));
    let ran = home.run(&["logout"]);
    assert_eq!(ran.code, Some(7), "{ran:?}");
    assert!(ran.stderr.contains("grundy password"), "{ran:?}");
    claim(&home, "Ada");
    let credentials = home.file(".config/grundy/credentials.toml");
    let before = fs::read_to_string(&credentials).expect("the file");
    let ran = home.run(&["logout"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("grundy login Ada"), "{ran:?}");
    assert!(
        !fs::read_to_string(&credentials)
            .expect("the file")
            .contains("Ada")
    );
    // The secret is good for nothing, wherever it was copied to; an account does not become a guest by that.
    let copy = Home::at(&server.url);
    let path = copy.write(".config/grundy/credentials.toml", &before);
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).expect("ours");
    let ran = copy.run(&["whoami"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("grundy login Ada"), "{ran:?}");
    assert_eq!(login(&home, "Ada", PASSWORD).code, Some(0));
}

#[test]
fn a_recovery_code_opens_the_account_and_closes_it_elsewhere() {
    let server = server();
    let (home, laptop) = (Home::at(&server.url), Home::at(&server.url));
    let codes = claim(&home, "Ada");
    assert_eq!(codes.len(), 10);
    let recover = |code: &str| {
        let arguments = ["recover", "Ada", "--code-file", "-", "--password-file", "-"];
        laptop.feed(&arguments, &format!("{code}\nbattery staple\n"))
    };
    assert_eq!(recover("AAAA-AAAA-AAAA-AAAA").code, Some(6));
    let ran = recover(&codes[7].to_lowercase());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(recover(&codes[7]).code, Some(6));
    assert_eq!(home.run(&["whoami"]).code, Some(6));
    assert_eq!(login(&home, "Ada", PASSWORD).code, Some(6));
    assert_eq!(login(&home, "Ada", "battery staple").code, Some(0));
    let left = home.run(&["token", "list"]);
    assert!(
        left.stderr.contains("0 recovery codes are left"),
        "{left:?}"
    );
}

#[test]
fn a_token_in_a_file_does_what_its_scopes_say_until_it_is_revoked() {
    let server = server();
    let home = Home::at(&server.url);
    assert_eq!(home.run(&["name", "Ada"]).code, Some(0));
    let create = [
        "token",
        "create",
        "reader",
        "--scope",
        "watch",
        "--expires",
        "90d",
        "--to",
        "t",
    ];
    let ran = home.run(&create);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let file = home.file("t");
    let secret = fs::read_to_string(&file).expect("the file");
    assert!(!ran.stdout.contains(secret.trim()), "{ran:?}");
    let with = |arguments: &[&str]| home.run(&[&["--token-file", "t"], arguments].concat());
    let who = with(&["whoami", "--json"]).json();
    assert_eq!(
        (&who["player"]["name"], &who["scopes"]),
        (&json!("Ada"), &json!(["watch"]))
    );
    assert!(who["token_expires_at_ms"].is_u64());
    assert_eq!(with(&["games", "list"]).code, Some(0));
    let ran = with(&["play", "nim:3", "--invite"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    for word in ["play", "watch", "Ada", "grundy token create"] {
        assert!(ran.stderr.contains(word), "{word}: {ran:?}");
    }
    let list = home.run(&["token", "list", "--json"]).json();
    let prefixes = list["tokens"].as_array().expect("tokens").iter();
    let named =
        prefixes.filter(|token| secret.starts_with(token["prefix"].as_str().expect("a prefix")));
    assert_eq!(named.count(), 1, "{list}");
    assert!(!list.to_string().contains(secret.trim()));
    assert_eq!(
        home.run(&["token", "rotate", "reader", "--to", "t"]).code,
        Some(0)
    );
    assert_ne!(fs::read_to_string(&file).expect("the file"), secret);
    assert_eq!(with(&["whoami"]).code, Some(0));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("ours");
    let ran = with(&["whoami"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("chmod 600"), "{ran:?}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("ours");
    assert_eq!(home.run(&["token", "revoke", "reader"]).code, Some(0));
    let ran = with(&["whoami"]);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert_eq!(home.run(&["token", "revoke", "reader"]).code, Some(4));
    let own = home.run(&["token", "list", "--json"]).json()["tokens"][0]["prefix"].clone();
    let ran = home.run(&["token", "revoke", own.as_str().expect("a prefix")]);
    assert!(
        ran.code == Some(7) && ran.stderr.contains("grundy logout"),
        "{ran:?}"
    );
    for wrong in [
        &["token", "create", "x"][..],
        &["token", "create", "x", "--scope", "fly"],
    ] {
        assert_eq!(home.run(wrong).code, Some(2), "{wrong:?}");
    }
}

#[test]
fn a_bot_has_tokens_of_its_own_and_plays_with_no_token_of_a_person() {
    let server = server();
    let home = Home::at(&server.url);
    let create = |more: &[&str]| {
        let arguments = ["token", "create", "t", "--scope", "bot", "--to", "t"];
        home.run(&[&arguments[..], more].concat()).code
    };
    assert_eq!(create(&[]), Some(0));
    home.write("last.py", &block("python"));
    let run = [
        "--token-file",
        "t",
        "bot",
        "run",
        "--",
        "python3",
        "last.py",
    ];
    let ran = home.run(&run);
    assert_eq!(ran.code, Some(6), "{ran:?}");
    assert!(ran.stderr.contains("--bot"), "{ran:?}");
    assert_eq!(create(&["--bot"]), Some(0));
    let who = home.run(&["--token-file", "t", "whoami", "--json"]).json();
    assert_eq!(
        (&who["player"]["bot"], &who["scopes"]),
        (&json!(true), &json!(["bot"]))
    );
    let listed = |more: &[&str]| {
        home.run(&[&["token", "list", "--json"], more].concat())
            .json()
    };
    assert_eq!(
        listed(&["--bot"])["tokens"].as_array().map(Vec::len),
        Some(2)
    );
    // A bot that has nothing to finish ends.
    assert_eq!(home.run(&run).code, Some(0));
}

#[test]
fn a_sealed_file_carries_a_guest_to_another_computer() {
    let server = server();
    let (home, laptop) = (Home::at(&server.url), Home::at(&server.url));
    assert_eq!(home.run(&["name", "Ada Lovelace"]).code, Some(0));
    let export = |passphrase: &str| {
        let arguments = ["identity", "export", "ada", "--passphrase-file", "-"];
        home.feed(&arguments, &format!("{passphrase}\n"))
    };
    assert_eq!(export("too short").code, Some(3));
    let ran = export("four words apart here");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let sealed = fs::read(home.file("ada")).expect("the file");
    let text = String::from_utf8(sealed).expect("text");
    // Neither an underscore nor a space is a digit of Base64.
    assert!(
        !text.contains("grg_") && !text.contains("Ada Lovelace"),
        "{text}"
    );
    fs::copy(home.file("ada"), laptop.file("ada")).expect("carried");
    let import = |passphrase: &str| {
        let arguments = ["identity", "import", "ada", "--passphrase-file", "-"];
        laptop.feed(&arguments, &format!("{passphrase}\n"))
    };
    let ran = import("four words apart hear");
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.contains("passphrase"), "{ran:?}");
    assert!(!laptop.file(".config/grundy/credentials.toml").exists());
    assert_eq!(import("four words apart here").code, Some(0));
    let id = |home: &Home| home.run(&["whoami", "--json"]).json()["player"]["id"].clone();
    assert_eq!(id(&laptop), id(&home));
    // It is a token of its own: the lost file can be made void without the computer.
    assert_eq!(
        home.run(&["token", "revoke", "identity file"]).code,
        Some(0)
    );
    assert_ne!(id(&laptop), id(&home));
    assert_eq!(
        laptop
            .run(&["identity", "import", "none", "--passphrase-file", "-"])
            .code,
        Some(4)
    );
}

#[test]
fn an_identity_that_is_exported_with_a_token_file_is_that_of_its_player() {
    let server = server();
    let (home, laptop) = (Home::at(&server.url), Home::at(&server.url));
    claim(&home, "Ada");
    let create = ["token", "create", "work", "--scope", "account", "--to", "t"];
    assert_eq!(home.run(&create).code, Some(0));
    let export = ["identity", "export", "ada", "--passphrase-file", "-"];
    let passphrase = "four words apart here\n";
    let ran = home.feed(&[&["--token-file", "t"][..], &export].concat(), passphrase);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    fs::copy(home.file("ada"), laptop.file("ada")).expect("carried");
    let import = ["identity", "import", "ada", "--passphrase-file", "-"];
    assert_eq!(laptop.feed(&import, passphrase).code, Some(0));
    let credentials = fs::read_to_string(laptop.file(".config/grundy/credentials.toml"));
    let credentials = credentials.expect("it was imported");
    let who = home.run(&["whoami", "--json"]).json();
    let id = who["player"]["id"].as_str().expect("an id");
    assert!(credentials.contains(id), "{credentials}");
}

#[test]
fn whoever_is_signed_out_in_a_match_is_told_and_the_program_ends() {
    let server = server();
    let (home, laptop) = (Home::at(&server.url), Home::at(&server.url));
    claim(&home, "Ada");
    assert_eq!(login(&laptop, "Ada", PASSWORD).code, Some(0));
    let (mut a, _, _) = invite(&laptop, "nim:3");
    let arguments = ["password", "--current-file", "-", "--password-file", "-"];
    let ran = home.feed(&arguments, &format!("{PASSWORD}\nbattery staple\n"));
    assert_eq!(ran.code, Some(0), "{ran:?}");
    // Those until now are void.
    assert!(ran.stdout.contains("recovery codes"), "{ran:?}");
    a.mutters("grundy login");
    assert_eq!(a.ends_by_itself().code, Some(6));
}

#[test]
fn a_password_that_is_typed_is_not_shown() {
    let server = server();
    let home = Home::at(&server.url);
    assert_eq!(home.run(&["name", "Ada"]).code, Some(0));
    let (running, mut keyboard) = home.start_at_terminal(&["password"]);
    let mut running = running;
    for prompt in ["New password", "Repeat it"] {
        running.mutters(prompt);
        let echoes = || {
            let modes = tcgetattr(&keyboard).expect("a terminal").local_modes;
            modes.contains(LocalModes::ECHO)
        };
        running.waits_until(|| !echoes());
        writeln!(keyboard, "{PASSWORD}").expect("typed");
    }
    running.says("Your password is set");
    let ran = running.ends_by_itself();
    assert_eq!(ran.code, Some(0), "{ran:?}");
    drop(ran);
    // What the terminal has echoed is what the keyboard's side can read.
    let mut echoed = vec![0; 4_096];
    let read = keyboard.read(&mut echoed).unwrap_or(0);
    let echoed = String::from_utf8_lossy(&echoed[..read]).into_owned();
    assert!(!echoed.contains("horse"), "{echoed:?}");
}
