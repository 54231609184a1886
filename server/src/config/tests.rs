use super::*;

fn refusal(text: &str) -> String {
    Config::from_toml(Path::new("g.toml"), text)
        .expect_err("must be refused")
        .to_string()
}

#[test]
fn an_unknown_key_is_refused_with_its_place_and_the_nearest_one() {
    let error = refusal("listen = \"127.0.0.1:1\"\n[limits]\n  brust = 5\n");
    assert!(
        error.starts_with("g.toml:3:3: unknown key limits.brust; did you mean limits.burst?"),
        "{error}"
    );
}
