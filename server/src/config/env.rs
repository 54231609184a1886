//! The environment: `GRUNDYD_` and the key in capitals, `__` between section and name.

use std::ffi::OsString;
use std::path::PathBuf;

use super::keys::Config;
use super::setting::{ConfigError, Layer, Origin, Raw, suggestion};
use crate::failpoint;

/// Names the file to read; it has no key, since a file cannot name itself.
const CONFIG_VARIABLE: &str = "GRUNDYD_CONFIG";

/// What the environment sets.
pub(super) struct Environment {
    pub(super) layer: Layer,
    /// The file that it names.
    pub(super) file: Option<PathBuf>,
}

/// Reads every variable that begins with `GRUNDYD_`; one that is no key is refused by name.
pub(super) fn read(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> Result<Environment, ConfigError> {
    let keys = Config::keys();
    let mut environment = Environment {
        layer: Layer::default(),
        file: None,
    };
    for (name, value) in variables {
        let Some(name) = name.to_str().filter(|name| name.starts_with("GRUNDYD_")) else {
            continue;
        };
        #[cfg(feature = "failpoints")]
        if name == "GRUNDYD_FAILPOINT" {
            continue;
        }
        if failpoint::VARIABLES.contains(&name) {
            continue;
        }
        let origin = Origin::Environment(name.to_owned());
        if name == CONFIG_VARIABLE {
            environment.file = Some(PathBuf::from(value));
            continue;
        }
        let Some(key) = keys.iter().find(|key| key.variable() == name) else {
            let hint = suggestion(name, keys.iter().map(|key| key.variable()));
            return Err(ConfigError::new(origin, format!("unknown variable{hint}")));
        };
        let value = value
            .into_string()
            .map_err(|_| ConfigError::new(origin.clone(), "the value is not UTF-8"))?;
        environment.layer.set(key, Raw::Word(value), origin);
    }
    Ok(environment)
}
