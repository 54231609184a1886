//! Encrypted connections, and what an invitation says to somebody on another computer.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::bots::passes;
use crate::program::{Home, terminal};
use crate::server::{self, Server};

/// A certificate for this machine and its key, as files.
fn certificate(directory: &Path) {
    let certificate = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]);
    let certificate = certificate.expect("a certificate");
    let key = directory.join("key.pem");
    fs::write(directory.join("cert.pem"), certificate.cert.pem()).expect("a file");
    fs::write(&key, certificate.signing_key.serialize_pem()).expect("a file");
    fs::set_permissions(key, fs::Permissions::from_mode(0o600)).expect("our file");
}

/// A server with its own certificate, started with these further arguments.
fn encrypted(home: &Home, more: &[&str]) -> Server {
    certificate(home.directory());
    let (cert, key) = (home.file("cert.pem"), home.file("key.pem"));
    let files = [cert.to_str(), key.to_str()].map(|file| file.expect("UTF-8"));
    let own = ["--tls-cert", files[0], "--tls-key", files[1]];
    Server::start_with(&[&own, more].concat())
}

#[test]
fn a_bot_is_played_over_an_encrypted_connection() {
    let home = Home::new();
    let server = encrypted(&home, &[]);
    assert!(server.url.starts_with("https://"), "{}", server.url);
    let ours = ["--server", &server.url, "--ca", "cert.pem"];
    let ran = home.feed(&[&["play", "nim:1"][..], &ours].concat(), "A-1\n");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let ran = home.run(&[&["whoami", "--json"][..], &ours].concat());
    assert_eq!(ran.json()["server"], server.url.as_str(), "{ran:?}");
}

#[test]
fn what_is_not_to_be_believed_is_not_talked_to_and_the_remedy_is_named() {
    let home = Home::new();
    let server = encrypted(&home, &[]);
    let refused = |arguments: &[&str]| {
        let ran = home.run(&[&["whoami"], arguments].concat());
        ran.stderr
    };
    let unknown = refused(&["--server", &server.url]);
    assert!(unknown.contains("--ca FILE"), "{unknown}");
    let plain = server.url.replace("https://", "http://");
    let unencrypted = refused(&["--server", &plain]);
    assert!(
        unencrypted.contains("https:// instead of http://"),
        "{unencrypted}"
    );
    let other_name = server.url.replace("127.0.0.1", "localhost");
    let other_name = refused(&["--server", &other_name, "--ca", "cert.pem"]);
    assert!(other_name.contains("for another name"), "{other_name}");
    let no_file = refused(&["--server", &server.url, "--ca", "nothing.pem"]);
    assert!(no_file.contains("nothing.pem"), "{no_file}");
    let no_certificate = refused(&["--server", &server.url, "--ca", "key.pem"]);
    assert!(
        no_certificate.contains("no certificate in it"),
        "{no_certificate}"
    );

    let open = Server::start();
    let open = open.url.replace("http://", "https://");
    let not_encrypted = refused(&["--server", &open]);
    assert!(
        not_encrypted.contains("http:// instead of https://"),
        "{not_encrypted}"
    );
}

/// The certificate of an authority, under the name of this machine, and its key.
fn of_an_authority(directory: &Path) {
    let mut terms = rcgen::CertificateParams::new(["127.0.0.1".to_owned()]).expect("terms");
    terms.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let key = rcgen::KeyPair::generate().expect("a key");
    let certificate = terms.self_signed(&key).expect("a certificate");
    fs::write(directory.join("cert.pem"), certificate.pem()).expect("a file");
    let file = directory.join("key.pem");
    fs::write(&file, key.serialize_pem()).expect("a file");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("our file");
}

#[test]
fn a_certificate_that_no_server_may_show_and_one_of_another_server_are_explained() {
    let home = Home::new();
    let server = encrypted(&home, &[]);
    let asked = |server: &Server, ca: &[&str]| {
        let ran = home.run(&[&["whoami", "--server", &server.url][..], ca].concat());
        assert_eq!(ran.code, Some(5), "{ran:?}");
        ran.stderr
    };
    // Another one under the same name: the reader does not need the detail of how the signature fails.
    fs::rename(home.file("cert.pem"), home.file("right.pem")).expect("our file");
    certificate(home.directory());
    let wrong = asked(&server, &["--ca", "cert.pem"]);
    assert!(
        wrong.contains("is not the one in cert.pem") && wrong.contains("that the server uses now"),
        "{wrong}"
    );
    let none = asked(&server, &[]);
    assert!(
        none.contains("an authority that this computer trusts") && none.contains("--ca FILE"),
        "{none}"
    );
    of_an_authority(home.directory());
    let (cert, key) = (home.file("cert.pem"), home.file("key.pem"));
    let files = [cert.to_str(), key.to_str()].map(|file| file.expect("UTF-8"));
    let server = Server::start_with(&["--tls-cert", files[0], "--tls-key", files[1]]);
    for ca in [&["--ca", "cert.pem"][..], &[]] {
        let said = asked(&server, ca);
        assert!(
            said.contains("basicConstraints=critical,CA:FALSE")
                && said.contains("subjectAltName=IP:127.0.0.1")
                && !said.contains("--ca FILE")
                && !said.contains("CaUsedAsEndEntity"),
            "{said}"
        );
    }
}

#[test]
fn a_bot_is_checked_on_an_encrypted_server() {
    let home = Home::new();
    let server = encrypted(&home, &[]);
    let made = home.run(&["bot", "new", "--lang", "python", "python"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let check = [
        "--ca",
        "cert.pem",
        "--url",
        &server.url,
        env!("CARGO_BIN_EXE_grundy"),
        "bot",
        "run",
        "--server",
        "{url}",
        "--join",
        "{code}",
        "--ca",
        "cert.pem",
        "--",
        "python3",
        "python/bot.py",
    ];
    let ran = passes(&home, &check);
    assert_eq!(ran.json()["failed"], 0, "{ran:?}");
}

#[test]
fn an_invitation_has_the_address_that_the_friend_reaches() {
    let server = Server::start_with(&["--public-url", "https://play.example"]);
    let home = Home::at(&server.url);
    let mut inviting = home.start(&["play", "nim:3,5,7", "--invite", "--json"]);
    let created = inviting.tells("welcome");
    let code = created["code"]
        .as_str()
        .unwrap_or_else(|| panic!("{created}"))
        .to_owned();
    let typed = format!("grundy join {code} --server https://play.example");
    assert_eq!(created["command"], typed.as_str());
    assert_eq!(created["link"], format!("https://play.example/j/{code}"));
    // The page behind the link says the same, and to which match it leads.
    let page = get(&server, &format!("/j/{code}"));
    assert!(page.starts_with("HTTP/1.1 200 "), "{page}");
    assert!(
        page.contains(&typed) && page.contains("nim:3,5,7"),
        "{page}"
    );
    assert!(get(&server, "/j/KWQHRMTB").starts_with("HTTP/1.1 404 "));
    assert!(get(&server, "/j/nonsense-and-more").starts_with("HTTP/1.1 404 "));

    // At a terminal there is a picture, too, unless sentences alone are wanted.
    assert!(on_screen(&home, &[]).contains('█'));
    assert!(!on_screen(&home, &["--plain"]).contains('█'));
}

/// What an invitation looks like at a terminal that has all characters.
fn on_screen(home: &Home, more: &[&str]) -> String {
    let (screen, terminal) = terminal();
    let mut command = home.command(&[&["play", "nim:3,5,7", "--invite"][..], more].concat());
    command
        .env("LANG", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(terminal);
    let mut child = command
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    drop(command);
    let mut shown = String::new();
    for line in BufReader::new(screen).lines().map_while(Result::ok) {
        shown.push_str(&format!("{line}\n"));
        if line.contains("/j/") || (line.contains("grundy join") && more.contains(&"--plain")) {
            break;
        }
    }
    child.kill().expect("it is there");
    child.wait().expect("it ends");
    shown
}

#[test]
fn an_invitation_that_nobody_else_can_follow_says_so() {
    let server = Server::start();
    let home = Home::at(&server.url);
    let mut inviting = home.start(&["play", "nim:3,5,7", "--invite"]);
    inviting.says("This works only on this computer");
}

fn get(server: &Server, path: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).expect("it listens");
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("text");
    answer
}

/// The recipe of the README, by which two people play from two homes.
fn recipe() -> String {
    let readme = include_str!("../../../README.md");
    let (_, section) = readme
        .split_once("## Two people at home")
        .expect("the README has the recipe");
    let (_, commands) = section.split_once("```sh\n").expect("commands");
    let (commands, _) = commands.split_once("```").expect("their end");
    commands.to_owned()
}

/// Two network namespaces stand for the two homes; what is typed in them is what the README says, with other addresses.
#[test]
fn two_people_at_two_homes_play_by_the_recipe_of_the_readme() {
    let lines = recipe();
    let lines: Vec<&str> = lines
        .lines()
        .filter(|line| !line.trim_start().starts_with('#') && !line.is_empty())
        .collect();
    let [certificate, server, invite, join] = lines[..] else {
        panic!("the recipe has four commands: {lines:?}");
    };
    let home = TempDir::new().expect("a directory");
    let script = format!(
        r#"set -eu
ip link set lo up
# Waits until a program has said something.
heard() {{ grep -m 1 "$2" < <(tail --lines=+1 --follow=name --retry "$1" 2> /dev/null); }}
unshare --net sleep 600 & friend=$!
until [ "$(readlink /proc/$friend/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do :; done
ip link add home0 type veth peer name home1 netns $friend
ip addr add 192.168.1.5/24 dev home0
ip link set home0 up
away() {{ nsenter --target $friend --net "$@"; }}
away ip addr add 192.168.1.6/24 dev home1
away ip link set home1 up
away ip link set lo up
mkfifo ours theirs
{certificate}
{server} --data data > served &
heard served listening
exec 8<>ours 9<>theirs
XDG_CONFIG_HOME=$PWD/first {invite} < ours > first.out 2>&1 & first=$!
code=$(heard first.out 'Join code: ')
code=${{code##*Join code: }}
join='{join}'
XDG_CONFIG_HOME=$PWD/second away env "PATH=$PATH" ${{join//CODE/$code}} < theirs > second.out 2>&1 & second=$!
heard first.out 'has joined'
# Who is to move was drawn; the other one's line is not read.
echo resign >&8; echo resign >&9
heard first.out resigned; heard second.out resigned
exec 8>&- 9>&-
wait $first; wait $second
"#
    );
    let path = home.path().join("recipe.sh");
    fs::write(&path, script).expect("a file");
    for (name, program) in [
        ("grundy", Path::new(env!("CARGO_BIN_EXE_grundy"))),
        ("grundy-server", server::program()),
    ] {
        std::os::unix::fs::symlink(program, home.path().join(name)).expect("a link");
    }
    let path_variable = format!(
        "{}:{}",
        home.path().display(),
        std::env::var("PATH").unwrap_or_default()
    );
    let mut command = Command::new("timeout");
    command
        .args([
            "300",
            "unshare",
            "--user",
            "--map-root-user",
            "--net",
            "--pid",
            "--fork",
            "--mount-proc",
            "bash",
        ])
        .arg(path)
        .current_dir(home.path())
        .env_clear()
        .env("HOME", home.path())
        .env("PATH", path_variable)
        // A busy machine is no reason to refuse the two.
        .env("GRUNDYD_OVERLOAD__TARGET_MS", "0")
        .stdin(Stdio::null());
    let output = command.output().expect("unshare, of util-linux");
    let told = ["served", "first.out", "second.out"]
        .map(|name| fs::read_to_string(home.path().join(name)).unwrap_or_default());
    assert!(output.status.success(), "{output:?}\n{told:#?}");
    let invitation = &told[1];
    assert!(invitation.contains("--ca cert.pem"), "{invitation}");
    assert!(
        !invitation.contains("only on this computer"),
        "{invitation}"
    );
}
