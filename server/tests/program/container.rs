//! The container and the unit, as far as they can be checked without an engine: each file is read as its engine reads
//! it, and what it says of this program is held against the program.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Parser;
use grundy_server::config::{Arguments, Command, Config};
use grundy_server::exit::Exit;
use yaml_rust2::{Yaml, YamlLoader};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The instructions of the Dockerfile in order: word and rest, continued lines joined, comments left out.
fn dockerfile() -> Vec<(String, String)> {
    let text = read("Dockerfile");
    let lines: Vec<_> = text
        .lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .collect();
    let joined = lines.join("\n").replace("\\\n", " ");
    let instructions = joined
        .lines()
        .filter_map(|line| line.trim().split_once(' '));
    instructions
        .map(|(word, rest)| (word.to_owned(), rest.trim().to_owned()))
        .collect()
}

/// The instructions of one kind in the stage that becomes the image.
fn in_image(word: &str) -> Vec<String> {
    let all = dockerfile();
    let last = all
        .iter()
        .rposition(|(word, _)| word == "FROM")
        .expect("a FROM");
    let image = all[last..].iter().filter(|(found, _)| found == word);
    image.map(|(_, rest)| rest.clone()).collect()
}

fn only(word: &str) -> String {
    let found = in_image(word);
    assert_eq!(found.len(), 1, "{word} in the image: {found:?}");
    found[0].clone()
}

/// An instruction in exec form: a JSON list of words.
fn words(exec_form: &str) -> Vec<String> {
    serde_json::from_str(exec_form).unwrap_or_else(|_| panic!("{exec_form} is not in exec form"))
}

fn image_environment() -> Vec<(OsString, OsString)> {
    in_image("ENV")
        .iter()
        .flat_map(|line| line.split_whitespace())
        .map(|pair| pair.split_once('=').expect("NAME=value"))
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

#[test]
fn the_image_is_not_root_and_has_one_volume() {
    let user = only("USER");
    let ids: Vec<u32> = user
        .split(':')
        .map(|id| id.parse().expect("a number"))
        .collect();
    assert!(ids.iter().all(|id| *id > 0), "{user}");
    assert_eq!(words(&only("VOLUME")), ["/data"]);
    let owned = in_image("COPY")
        .into_iter()
        .any(|copy| copy.contains(&format!("--chown={user} ")) && copy.ends_with(" /data"));
    assert!(owned, "/data must belong to {user}");
}

#[test]
fn the_image_runs_the_program_and_asks_it_for_its_health() {
    let entry = words(&only("ENTRYPOINT"));
    let binary = in_image("COPY")
        .into_iter()
        .find(|copy| copy.ends_with(&format!(" {}", entry[0])));
    let binary = binary.expect("the entry point is copied into the image");
    assert!(
        binary.contains("/target/release/grundy-server "),
        "{binary}"
    );
    Arguments::try_parse_from(&entry).expect("the entry point is a command of the program");
    let health = only("HEALTHCHECK");
    let health = words(health.split_once("CMD ").expect("CMD").1);
    assert_eq!(health[0], entry[0]);
    let health = Arguments::try_parse_from(&health).expect("a command of the program");
    assert!(matches!(health.command, Some(Command::Health)));

    let loaded = Config::load(&health, image_environment()).expect("the environment is good");
    assert_eq!(loaded.config.data, Path::new("/data"));
    assert!(loaded.config.listen.ip().is_unspecified());
    assert_eq!(only("EXPOSE"), loaded.config.listen.port().to_string());
}

#[test]
fn the_image_is_built_from_what_is_there_with_the_compiler_that_is_stated() {
    let ignored = read(".dockerignore");
    let kept: Vec<_> = ignored
        .lines()
        .filter_map(|line| line.strip_prefix('!'))
        .collect();
    let mut sources = 0;
    for (_, copy) in dockerfile()
        .iter()
        .filter(|(word, rest)| word == "COPY" && !rest.starts_with("--from"))
    {
        let names: Vec<_> = copy.split_whitespace().collect();
        for name in &names[..names.len() - 1] {
            assert!(root().join(name).exists(), "{name} is not there");
            assert!(
                kept.contains(name),
                ".dockerignore keeps {name} from the engine"
            );
            sources += 1;
        }
    }
    assert!(sources > 0);
    let manifest: toml::Table = read("Cargo.toml").parse().expect("TOML");
    for member in manifest["workspace"]["members"].as_array().expect("a list") {
        assert!(
            kept.contains(&member.as_str().expect("a name")),
            "{member} is not in the build"
        );
    }
    let stated = manifest["workspace"]["package"]["rust-version"]
        .as_str()
        .expect("a version");
    let from: Vec<_> = dockerfile()
        .into_iter()
        .filter(|(word, _)| word == "FROM")
        .collect();
    assert!(
        from[0].1.starts_with(&format!("rust:{stated}-")),
        "{from:?}"
    );
}

/// The passwords of the profile of several servers: of their role, of the owner of the tables, and of the bus. None is on a command line.
const PASSWORDS: [(&str, &str); 3] = [
    ("GRUNDY_PASSWORD", "grundy"),
    ("GRUNDY_OWNER_PASSWORD", "owner"),
    ("GRUNDY_BUS_PASSWORD", "bus"),
];

/// Reads docker-compose.yml with these passwords. There are no others by default.
fn compose() -> Yaml {
    let text = read("docker-compose.yml");
    let mut given = text;
    for (name, password) in PASSWORDS {
        let variable = format!("${{{name}:-}}");
        assert!(given.contains(&variable), "{variable}");
        given = given.replace(&variable, password);
    }
    assert!(!given.contains("${"), "another variable: check it here too");
    let mut documents = YamlLoader::load_from_str(&given).expect("YAML");
    assert_eq!(documents.len(), 1);
    documents.remove(0)
}

/// A value of a service, by name.
fn value(service: &str, name: &str) -> Yaml {
    let document = compose();
    let known = [
        "build",
        "image",
        "profiles",
        "entrypoint",
        "command",
        "ports",
        "volumes",
        "network_mode",
        "read_only",
        "cap_drop",
        "security_opt",
        "stop_grace_period",
        "restart",
        "healthcheck",
        "environment",
        "networks",
        "depends_on",
        "shm_size",
        "<<",
    ];
    let service = &document["services"][service];
    for key in service.as_hash().expect("a service").keys() {
        assert!(
            known.contains(&key.as_str().expect("a name")),
            "{key:?}: check it here too"
        );
    }
    service[name].clone()
}

/// The services of the profile of several servers.
const CLUSTER: [&str; 7] = [
    "proxy",
    "node-a",
    "node-b",
    "migrate",
    "passwords",
    "database",
    "bus",
];

#[test]
fn compose_has_two_services_and_a_profile_of_several_servers() {
    let document = compose();
    let services = document["services"].as_hash().expect("services");
    let names: Vec<&str> = services.keys().filter_map(Yaml::as_str).collect();
    assert_eq!(names, [&["server", "backup"][..], &CLUSTER].concat());
    for name in CLUSTER {
        let service = &document["services"][name];
        // `<<` is the same service with something else.
        let profiles = match &service["<<"] {
            Yaml::BadValue => &service["profiles"],
            same => &same["profiles"],
        };
        assert_eq!(texts(profiles), ["cluster"], "{name}");
        // Only the proxy can be reached from elsewhere.
        assert_eq!(!service["ports"].is_badvalue(), name == "proxy", "{name}");
    }
    assert_eq!(texts(&value("proxy", "ports")), list("ports"));
    assert_eq!(
        document["networks"]["cluster"]["internal"].as_bool(),
        Some(true)
    );
    let mounted = CLUSTER
        .into_iter()
        .filter_map(|name| document["services"][name]["volumes"].as_vec());
    let mounted = mounted
        .flatten()
        .map(|volume| volume.as_str().expect("text"));
    let [mut files, mut volumes] = [0, 0];
    for (place, _) in mounted.map(|volume| volume.split_once(':').expect("a place in it")) {
        if place.starts_with("./") {
            assert!(root().join(place).is_file(), "{place} is not there");
            files += 1;
        } else {
            assert!(
                !document["volumes"][place].is_badvalue()
                    || document["volumes"]
                        .as_hash()
                        .is_some_and(|all| all.contains_key(&Yaml::from_str(place))),
                "{place}"
            );
            volumes += 1;
        }
    }
    assert_eq!((files, volumes), (3, 3));
}

#[test]
fn the_servers_of_the_profile_differ_in_their_names_only_and_share_what_they_are_given() {
    let entry = words(&only("ENTRYPOINT"));
    let node = value("node-a", "environment");
    let environment = node.as_hash().expect("variables").iter();
    let environment = environment.map(|(name, value)| {
        let [name, value] = [name, value].map(|text| text.as_str().expect("text").to_owned());
        (name.into(), value.into())
    });
    let environment: Vec<(OsString, OsString)> =
        image_environment().into_iter().chain(environment).collect();
    let mut names = Vec::new();
    for service in ["node-a", "node-b"] {
        let command = [entry.clone(), texts(&value(service, "command"))].concat();
        let arguments = Arguments::try_parse_from(command).expect("a command of the program");
        let loaded = Config::load(&arguments, environment.clone()).expect("good");
        let config = loaded.config;
        let shown = config.database.expect("a database").to_string();
        assert!(shown.contains("grundy_server@database"), "{shown}");
        assert!(!shown.contains(":grundy@"), "{shown}");
        assert!(config.bus.is_some());
        names.push(config.node.expect("a name").as_str().to_owned());
    }
    assert_eq!(names, ["a", "b"]);
    for name in [
        "image",
        "read_only",
        "cap_drop",
        "security_opt",
        "stop_grace_period",
        "healthcheck",
    ] {
        assert_eq!(value("node-a", name), service(name), "{name}");
    }
    let migrate = [entry, texts(&value("migrate", "command"))].concat();
    let migrate = Arguments::try_parse_from(migrate).expect("a command of the program");
    // The servers do not know the password of the owner, and nobody reads one among the processes.
    let [of_servers, of_owner, _] = PASSWORDS.map(|(name, _)| format!("${{{name}:-}}"));
    let text = read("docker-compose.yml");
    let (servers, others) = text.split_once("  migrate:\n").expect("a service");
    assert!(servers.contains(&of_servers) && !servers.contains(&of_owner));
    assert!(others.contains(&of_owner));
    for service in CLUSTER {
        let command = value(service, "command");
        let command = command.as_vec().into_iter().flatten();
        let command: Vec<&str> = command.filter_map(Yaml::as_str).collect();
        let command = command.join(" ");
        for (_, password) in PASSWORDS {
            assert!(!command.contains(&format!(":{password}@")), "{command}");
            assert!(!command.contains("--pass"), "{command}");
        }
    }
    assert!(read("contrib/cluster/nats.conf").contains("$GRUNDY_BUS_PASSWORD"));
    // The roles of the addresses are those that are made and granted.
    assert!(read("contrib/cluster/roles.sh").contains("CREATE ROLE grundy_server LOGIN"));
    let Some(Command::Migrate { grant, .. }) = migrate.command else {
        panic!("migrate");
    };
    assert_eq!(grant.as_deref(), Some("grundy_server"));
    // Nothing starts with an empty password.
    let check = texts(&value("passwords", "command")).concat();
    for (name, _) in PASSWORDS {
        assert!(check.contains(name), "{name} is not asked for");
    }
    for service in ["database", "bus"] {
        let waits = &value(service, "depends_on")["passwords"]["condition"];
        assert_eq!(waits.as_str(), Some("service_completed_successfully"));
    }
    let owner = &value("database", "environment")["POSTGRES_USER"];
    assert_eq!(owner.as_str(), Some("grundy_owner"));
}

fn service(name: &str) -> Yaml {
    value("server", name)
}

/// The texts of a list.
fn texts(list: &Yaml) -> Vec<String> {
    let list = list.as_vec().expect("a list").iter();
    list.map(|item| item.as_str().expect("text").to_owned())
        .collect()
}

fn list(name: &str) -> Vec<String> {
    texts(&service(name))
}

#[test]
fn compose_backs_up_with_a_command_of_the_program_onto_another_volume() {
    let entry = words(&only("ENTRYPOINT"));
    let command = [entry, texts(&value("backup", "command"))].concat();
    let arguments = Arguments::try_parse_from(command).expect("a command of the program");
    let Some(Command::Backup { directory, .. }) = arguments.command else {
        panic!("{arguments:?}");
    };
    assert_eq!(
        texts(&value("backup", "volumes")),
        [
            "data:/data".to_owned(),
            format!("backups:{}", directory.display())
        ]
    );
    assert_eq!(value("backup", "network_mode").as_str(), Some("none"));
    assert_eq!(value("backup", "image"), service("image"));
    for name in ["read_only", "cap_drop", "security_opt"] {
        assert_eq!(value("backup", name), service(name), "{name}");
    }
    // A backup is made when it is asked for.
    assert_eq!(texts(&value("backup", "profiles")), ["backup"]);
    let health = texts(&service("healthcheck")["test"]);
    assert_eq!(health[0], "CMD");
    assert!(only("HEALTHCHECK").ends_with(&format!("CMD [\"{}\", \"{}\"]", health[1], health[2])));
    // A named volume that is new takes over the owner of what it covers.
    let owned = format!("--chown={} /backups /backups", only("USER"));
    assert!(in_image("COPY").iter().any(|copy| copy.ends_with(&owned)));
}

#[test]
fn compose_publishes_on_loopback_only_and_writes_to_its_volume_only() {
    assert!(
        root()
            .join(service("build").as_str().expect("a path"))
            .join("Dockerfile")
            .is_file()
    );
    let port = only("EXPOSE");
    assert_eq!(list("ports"), [format!("127.0.0.1:{port}:{port}")]);
    assert_eq!(list("volumes"), ["data:/data"]);
    assert_eq!(service("read_only").as_bool(), Some(true));
    assert_eq!(list("cap_drop"), ["ALL"]);
    assert_eq!(list("security_opt"), ["no-new-privileges:true"]);
}

/// Seconds, of a text such as `15s`.
fn seconds(text: &str) -> u64 {
    let number = text.strip_suffix('s').expect("seconds");
    number.parse().expect("a number")
}

#[test]
fn nobody_cuts_a_stop_short() {
    // The hard stop lets tasks go for a second more.
    let longest = Config::default().times.stop_ms.0 / 1_000 + 1;
    assert!(seconds(service("stop_grace_period").as_str().expect("text")) > longest);
    let unit = unit();
    assert!(seconds(&unit["TimeoutStopSec"]) > longest);
    assert_eq!(only("STOPSIGNAL"), "SIGTERM");
}

/// The settings of the server's unit, whatever their section.
fn unit() -> BTreeMap<String, String> {
    unit_of("contrib/grundy-server.service")
}

fn unit_of(name: &str) -> BTreeMap<String, String> {
    let text = read(name);
    let lines = text
        .lines()
        .filter(|line| !line.starts_with(['#', '[']) && !line.is_empty());
    lines
        .map(|line| line.split_once('=').expect("name=value"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[test]
fn the_unit_runs_commands_of_the_program_without_rights_it_does_not_need() {
    let unit = unit();
    for command in ["ExecStart", "ExecStartPre"] {
        let arguments = Arguments::try_parse_from(unit[command].split_whitespace());
        let arguments = arguments.expect("a command of the program");
        assert_eq!(arguments.check_config, command == "ExecStartPre");
        let loaded = Config::load(&arguments, []).expect("good");
        assert_eq!(
            loaded.config.data,
            Path::new("/var/lib").join(&unit["StateDirectory"])
        );
    }
    for (name, value) in [
        ("DynamicUser", "yes"),
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
    ] {
        assert_eq!(unit[name], value);
    }
    let hopeless =
        [Exit::Configuration, Exit::Store, Exit::InUse].map(|exit| exit.code().to_string());
    assert_eq!(unit["RestartPreventExitStatus"], hopeless.join(" "));
}

#[test]
fn the_unit_of_several_servers_waits_for_a_database_and_bounds_the_same() {
    let (alone, shared) = (unit(), unit_of("contrib/grundy-server@.service"));
    let command = shared["ExecStart"]
        .replace("%i", "7310")
        .replace("%H", "here");
    let arguments = Arguments::try_parse_from(command.split_whitespace());
    let arguments = arguments.expect("a command of the program");
    let database = ("GRUNDYD_DATABASE".into(), "postgres://a@b/c".into());
    let config = Config::load(&arguments, [database]).expect("good").config;
    let state = shared["StateDirectory"].replace("%i", "7310");
    assert_eq!(config.data, Path::new("/var/lib").join(state));
    assert_eq!(config.node.expect("a name").as_str(), "here-7310");
    let hopeless = [Exit::Configuration, Exit::InUse].map(|exit| exit.code().to_string());
    assert_eq!(shared["RestartPreventExitStatus"], hopeless.join(" "));
    let differs = [
        "Description",
        "After",
        "Environment",
        "ExecStart",
        "StateDirectory",
        "RestartSec",
        "RestartPreventExitStatus",
    ];
    for (name, value) in &alone {
        if !differs.contains(&&**name) && name != "ExecStartPre" {
            assert_eq!(shared.get(name), Some(value), "{name}");
        }
    }
}

#[test]
fn the_timer_backs_up_the_data_of_the_unit_as_its_user() {
    let (server, backup) = (unit(), unit_of("contrib/grundy-backup.service"));
    let arguments = Arguments::try_parse_from(backup["ExecStart"].split_whitespace());
    let arguments = arguments.expect("a command of the program");
    let data = Config::load(&arguments, []).expect("good").config.data;
    let Some(Command::Backup {
        directory,
        keep: Some(_),
        ..
    }) = arguments.command
    else {
        panic!("{backup:?}");
    };
    let state = |name: &str| Path::new("/var/lib").join(name);
    let own: Vec<_> = backup["StateDirectory"].split(' ').map(state).collect();
    assert_eq!(own, [data, directory]);
    assert_eq!(own[0], state(&server["StateDirectory"]));
    // A dynamic user is named after its unit.
    assert_eq!(backup["User"], "grundy-server");
    for (name, value) in &server {
        // What bounds the server bounds its backup.
        if name.starts_with("Protect") || name.starts_with("SystemCall") {
            assert_eq!(backup.get(name), Some(value), "{name}");
        }
    }
    let timer = unit_of("contrib/grundy-backup.timer");
    assert_eq!(timer["OnCalendar"], "hourly");
}

#[test]
fn the_page_shows_the_recipe_for_caddy() {
    let recipe = read("contrib/caddy/Caddyfile");
    let lines = recipe.lines().filter(|line| !line.starts_with('#'));
    let shown: Vec<_> = lines.map(|line| line.replace('\t', "    ")).collect();
    let shown = format!("```\n{}\n```", shown.join("\n"));
    assert!(read("docs/OPERATIONS.md").contains(&shown), "{shown}");
}
