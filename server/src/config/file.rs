//! The TOML file.

use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::keys::Config;
use super::setting::{ConfigError, Key, Layer, Origin, Raw, suggestion};

/// No configuration is longer; a device or a database given by mistake is not read to its end.
const FILE_BYTES_MAX: u64 = 1 << 20;

/// Reads a file.
pub(super) fn read(path: &Path) -> Result<Layer, ConfigError> {
    let whole = || Origin::File {
        path: path.to_owned(),
        line: 0,
        column: 0,
    };
    let cannot =
        |error| ConfigError::new(whole(), format!("cannot read the configuration: {error}"));
    let length = std::fs::metadata(path).map_err(cannot)?.len();
    if length > FILE_BYTES_MAX {
        let message = format!("{length} bytes are too many for a configuration");
        return Err(ConfigError::new(whole(), message));
    }
    let text = std::fs::read_to_string(path).map_err(cannot)?;
    parse(path, &text)
}

/// Reads the text of a file.
pub(super) fn parse(path: &Path, text: &str) -> Result<Layer, ConfigError> {
    let source = Source { path, text };
    let table = DeTable::parse(text).map_err(|error| {
        let start = error.span().map_or(text.len(), |span| span.start);
        ConfigError::new(source.origin(start), error.message().replace('\n', ", "))
    })?;
    let mut layer = Layer::default();
    source.collect("", table.get_ref(), &mut layer)?;
    Ok(layer)
}

struct Source<'a> {
    path: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    /// Line and column of a byte.
    fn origin(&self, byte: usize) -> Origin {
        let before = &self.text[..byte.min(self.text.len())];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Origin::File {
            path: self.path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
        }
    }

    fn collect(
        &self,
        prefix: &str,
        table: &DeTable<'_>,
        layer: &mut Layer,
    ) -> Result<(), ConfigError> {
        for (name, value) in table {
            let path = format!("{prefix}{}", name.get_ref());
            let origin = self.origin(name.span().start);
            if let Some(key) = Key::find(&path) {
                layer.set(key, self.value(key, value)?, origin);
            } else if let (true, DeValue::Table(inner)) = (is_section(&path), value.get_ref()) {
                self.collect(&format!("{path}."), inner, layer)?;
            } else {
                return Err(ConfigError::new(origin, unknown(&path)));
            }
        }
        Ok(())
    }

    fn value(&self, key: &Key, value: &Spanned<DeValue<'_>>) -> Result<Raw, ConfigError> {
        let refuse = |what: &str| {
            let message = format!("{} cannot be {what}", key.path);
            Err(ConfigError::new(self.origin(value.span().start), message))
        };
        match value.get_ref() {
            DeValue::String(text) => Ok(Raw::Text(text.to_string())),
            DeValue::Boolean(truth) => Ok(Raw::Bool(*truth)),
            DeValue::Integer(number) => {
                match i128::from_str_radix(number.as_str(), number.radix()) {
                    Ok(number) => Ok(Raw::Integer(number)),
                    Err(_) => refuse("so long a number"),
                }
            }
            DeValue::Float(_) => refuse("a fraction"),
            DeValue::Datetime(_) => refuse("a date"),
            DeValue::Array(_) => refuse("a list"),
            DeValue::Table(_) => refuse("a section"),
        }
    }
}

fn is_section(path: &str) -> bool {
    Config::keys().iter().any(|key| {
        key.path
            .strip_prefix(path)
            .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Names the nearest key: of the same section, or of the same name in another one.
fn unknown(path: &str) -> String {
    let keys = Config::keys();
    let same_name = keys
        .iter()
        .find(|key| key.path.rsplit('.').next() == Some(path.rsplit('.').next().unwrap_or(path)));
    let hint = match same_name {
        Some(key) => format!("; did you mean {}?", key.path),
        None => suggestion(path, keys.iter().map(|key| key.path.to_owned())),
    };
    format!("unknown key {path}{hint} (grundy-server --print-config shows every key)")
}
