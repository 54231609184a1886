//! Any text as a configuration file. Lines `GRUNDYD_…=…` are an environment. It is read or refused, and what is printed is read back equal.

use std::path::Path;

use grundy_server::config::{Arguments, Config};

/// Reads one input.
pub(crate) fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else {
        return;
    };
    let loaded = if text.starts_with("GRUNDYD_") {
        // Nothing is read from a file.
        let lines = text
            .lines()
            .filter(|line| !line.starts_with("GRUNDYD_CONFIG"));
        let variables = lines.filter_map(|line| line.split_once('='));
        let variables = variables.map(|(name, value)| (name.into(), value.into()));
        Config::load(&Arguments::default(), variables)
    } else {
        Config::from_toml(Path::new("grundy.toml"), text)
    };
    match loaded {
        Ok(loaded) => {
            let printed = loaded.to_toml();
            let again = Config::from_toml(Path::new("printed.toml"), &printed);
            let again = again.unwrap_or_else(|error| panic!("{error}: {printed}"));
            assert_eq!(again.config, loaded.config);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
