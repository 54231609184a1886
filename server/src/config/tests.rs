use super::*;
use clap::Parser;
use grundy_shared::ids::Millis;
use std::ffi::OsString;

fn from_text(text: &str) -> Result<Loaded, ConfigError> {
    Config::from_toml(Path::new("g.toml"), text)
}

/// The one line that this file is refused with.
fn refusal(text: &str) -> String {
    from_text(text).expect_err("must be refused").to_string()
}

fn arguments(flags: &[&str]) -> Arguments {
    Arguments::parse_from(std::iter::once(&"grundy-server").chain(flags))
}

fn load(flags: &[&str], variables: &[(&str, &str)]) -> Result<Loaded, ConfigError> {
    let variables = variables
        .iter()
        .map(|(name, value)| (OsString::from(name), OsString::from(value)));
    Config::load(&arguments(flags), variables)
}

#[test]
fn an_unknown_key_is_refused_with_its_place_and_the_nearest_one() {
    let cases = [
        (
            "listen = \"127.0.0.1:1\"\n[limits]\n  brust = 5\n",
            "g.toml:3:3: unknown key limits.brust; did you mean limits.burst?",
        ),
        (
            "burst = 5",
            "g.toml:1:1: unknown key burst; did you mean limits.burst?",
        ),
        ("[limit]\nburst = 5", "g.toml:1:2: unknown key limit"),
        (
            "profil = \"load\"",
            "g.toml:1:1: unknown key profil; did you mean profile?",
        ),
        (
            "limits.burst.more = 1",
            "g.toml:1:8: limits.burst cannot be a section",
        ),
        ("zzzzzzzz = 1", "g.toml:1:1: unknown key zzzzzzzz ("),
    ];
    for (text, expected) in cases {
        let error = refusal(text);
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn what_is_no_toml_is_refused_in_one_line_with_its_place() {
    for text in [
        "listen = ",
        "[limits\nburst = 1",
        "listen = \"a\"\nlisten = \"b\"",
        "\u{0}",
    ] {
        let error = refusal(text);
        assert!(error.starts_with("g.toml:"), "{error}");
        assert!(!error.contains('\n'), "{error}");
    }
    assert!(refusal("a = 1\nlisten = ").starts_with("g.toml:2:"));
}

#[test]
fn every_number_is_held_within_its_bounds_from_every_source() {
    for key in Config::keys() {
        let Some((low, high)) = key.bounds else {
            continue;
        };
        for wrong in [i128::from(low) - 1, i128::from(high) + 1] {
            let bound = format!("from {low} to {high}");
            let error = refusal(&format!("{} = {wrong}", key.path));
            assert!(
                error.contains(&bound) && error.contains(key.path),
                "{error}"
            );
            let error = load(&[], &[(&key.variable(), &wrong.to_string())]);
            let error = error.expect_err("out of bounds").to_string();
            assert!(
                error.starts_with(&key.variable()) && error.contains(&bound),
                "{error}"
            );
        }
        for wrong in ["1.5", "true", "[1]", "\"5\"", "1979-05-27"] {
            refusal(&format!("{} = {wrong}", key.path));
        }
    }
}

#[test]
fn flags_win_over_environment_over_file_over_defaults() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("g.toml");
    let text = "listen = \"127.0.0.1:1\"\ndata = \"/file\"\nlog = \"warn\"\n[limits]\nburst = 7\n";
    std::fs::write(&path, text).expect("a file");
    let file = path.to_str().expect("UTF-8");
    let loaded = load(
        &["--config", file, "--listen", "127.0.0.1:3"],
        &[
            ("GRUNDYD_LISTEN", "127.0.0.1:2"),
            ("GRUNDYD_DATA", "/environment"),
            ("GRUNDY_SERVER", "http://the.client.s.business"),
        ],
    )
    .expect("good");
    let config = &loaded.config;
    assert_eq!(config.listen.port(), 3);
    assert_eq!(config.data, Path::new("/environment"));
    assert_eq!(config.log.as_str(), "warn");
    assert_eq!(config.limits.burst, 7);
    assert_eq!(config.limits.requests_per_second, 10);
    let printed = loaded.to_toml();
    for (start, origin) in [
        ("listen = \"127.0.0.1:3\"", "# --listen"),
        ("data = \"/environment\"", "# GRUNDYD_DATA"),
        ("burst = 7", &*format!("# {file}:5:1")),
        ("requests_per_second = 10", "# default"),
    ] {
        let line = printed.lines().find(|line| line.starts_with(start));
        assert!(line.is_some_and(|line| line.ends_with(origin)), "{printed}");
    }
    // The file may also be named by the environment; the flag wins there too.
    let named = load(&[], &[("GRUNDYD_CONFIG", file)]).expect("good");
    assert_eq!(named.config.limits.burst, 7);
}

#[test]
fn what_is_printed_reads_back() {
    let given = from_text("data = \"/a \\\"b\\\"\\nc\"\nworkers = 3\n[times]\nping_ms = 100\n");
    let given = given.expect("good");
    let again = from_text(&given.to_toml()).expect("what was printed is good");
    assert_eq!(again.config, given.config);
}

#[test]
fn an_unknown_variable_is_refused_by_name() {
    let error = load(&[], &[("GRUNDYD_LIMITS__BRUST", "5")]).expect_err("unknown");
    let expected = "GRUNDYD_LIMITS__BRUST: unknown variable; did you mean GRUNDYD_LIMITS__BURST?";
    assert_eq!(error.to_string(), expected);
    let error = load(&[], &[("GRUNDYD_LIMITS_BURST", "5")]).expect_err("unknown");
    assert!(error.to_string().contains("GRUNDYD_LIMITS__BURST"));
}

#[test]
fn the_load_profile_lifts_rates_below_what_is_said_and_only_on_loopback() {
    let loaded = load(&["--profile", "load"], &[("GRUNDYD_LIMITS__BURST", "5")]).expect("good");
    assert_eq!(loaded.config.limits.burst, 5);
    assert_eq!(loaded.config.limits.connections_per_address, 50_000);
    let flags = [
        "--profile",
        "load",
        "--listen",
        "0.0.0.0:1",
        "--behind-proxy",
    ];
    let error = load(&flags, &[]).expect_err("not on loopback").to_string();
    assert!(
        error.starts_with("--profile: ") && error.contains("127.0.0.1"),
        "{error}"
    );
    assert!(load(&["--profile", "fast"], &[]).is_err());
}

#[test]
fn other_machines_reach_it_only_encrypted() {
    for open in ["0.0.0.0:1", "[::]:1", "192.0.2.1:80"] {
        let error = load(&["--listen", open], &[])
            .expect_err("in the open")
            .to_string();
        assert!(error.contains("--behind-proxy"), "{error}");
        let config = load(&["--listen", open, "--behind-proxy"], &[])
            .expect("good")
            .config;
        assert!(config.behind_proxy);
        let own = [
            "--listen",
            open,
            "--tls-cert",
            "c.pem",
            "--tls-key",
            "k.pem",
        ];
        assert!(load(&own, &[]).is_ok());
    }
    let alone = load(&["--tls-cert", "c.pem"], &[]).expect_err("no key");
    assert_eq!(
        alone.to_string(),
        "--tls-cert: tls_cert needs tls_key as well: name the file of its private key"
    );
    let alone = load(&[], &[("GRUNDYD_TLS_KEY", "k.pem")]).expect_err("no certificate");
    assert!(alone.to_string().starts_with("GRUNDYD_TLS_KEY: "));
    assert!(load(&["--listen", "[::1]:1"], &[]).is_ok());
}

#[test]
fn a_public_address_is_one_that_can_be_typed() {
    for (given, meant) in [
        ("https://play.example", "https://play.example"),
        ("https://192.168.1.5:7310/", "https://192.168.1.5:7310"),
        ("http://[2001:db8::1]:80", "http://[2001:db8::1]:80"),
    ] {
        let config = load(&["--public-url", given], &[]).expect("good").config;
        assert_eq!(config.public_url.expect("set").as_str(), meant);
    }
    for wrong in [
        "play.example",
        "https://",
        "https://a/b",
        "ftp://a",
        "https://A",
    ] {
        let error = load(&["--public-url", wrong], &[]).expect_err(wrong);
        assert!(
            error.to_string().contains("such as https://play.example"),
            "{error}"
        );
    }
    let unset = load(&["--public-url", ""], &[]).expect("good").config;
    assert_eq!(unset.public_url, None);
}

#[test]
fn values_that_do_not_fit_together_are_refused() {
    let error = refusal("times = { ping_ms = 5000, dead_after_ms = 5000 }");
    assert!(error.contains("longer than times.ping_ms"), "{error}");
    let error = refusal("limits = { reply_bytes = 131072, queue_bytes = 131071 }");
    assert!(error.contains("at least limits.reply_bytes"), "{error}");
}

#[test]
fn a_file_that_is_none_is_refused_by_its_path() {
    for path in ["/nonexistent/g.toml", "/"] {
        let error = load(&["--config", path], &[])
            .expect_err("no file")
            .to_string();
        assert!(error.starts_with(path), "{error}");
    }
}

#[test]
fn the_defaults_are_the_ones_settled() {
    let config = load(&[], &[]).expect("the defaults are good").config;
    assert_eq!(config, Config::default());
    assert_eq!(config.listen.to_string(), "127.0.0.1:7310");
    assert!(config.data.ends_with("grundy-server"));
    assert_eq!(config.limits.message_bytes, 16_384);
    assert_eq!(config.times.join_code_ms, Millis(24 * 3_600_000));
}

proptest::proptest! {
    #[test]
    fn no_file_makes_the_reader_panic(text in "(\\PC|\n){0,200}") {
        let _ = from_text(&text);
    }

    #[test]
    fn no_file_of_known_words_makes_the_reader_panic(
        text in "(\\[limits\\]|\\[\\[times\\]\\]|burst|listen|=|\\.|\n|[0-9]{1,40}|-|\"|é|\\{|\\}| ){0,40}"
    ) {
        let _ = from_text(&text);
    }
}

#[test]
fn passwords_in_addresses_are_printed_nowhere() {
    let text = "database = \"postgres://ann:s3cret@db/games\"\nbus = \"nats://ann:s3cret@bus:4222\"\nnode = \"one\"\n";
    let loaded = Config::from_toml(Path::new("grundy.toml"), text).unwrap();
    let printed = loaded.to_toml();
    assert!(printed.contains("postgres://ann@db/games"), "{printed}");
    for shown in [printed, format!("{:?}", loaded.config)] {
        assert!(!shown.contains("s3cret"), "{shown}");
    }
    for bad in [
        "database = \"mysql://ann:s3cret@db\"",
        "bus = \"http://ann:s3cret@bus\"",
    ] {
        let error = Config::from_toml(Path::new("grundy.toml"), bad).unwrap_err();
        assert!(!error.to_string().contains("s3cret"), "{error}");
    }
    // A reload prints and reads everything once.
    let settings = Settings::new(loaded.config.clone());
    let mut new = loaded.config;
    new.limits.burst = 77;
    settings.reload(&new).unwrap();
    let database = settings.current().database.clone().unwrap();
    assert!(database.expose().contains("s3cret"));
}

#[test]
fn a_bus_and_a_name_need_a_database_to_share() {
    for text in ["bus = \"nats://bus\"", "node = \"one\""] {
        let error = Config::from_toml(Path::new("grundy.toml"), text).unwrap_err();
        assert!(error.message.contains("--database"), "{error}");
    }
    let bad = "database = \"postgres://a@b/c\"\nnode = \"two words\"";
    assert!(Config::from_toml(Path::new("grundy.toml"), bad).is_err());
}
