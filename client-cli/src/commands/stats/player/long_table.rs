//! A report as one long table: one figure a line, so that one file has all sections.

use grundy_shared::career::Report;
use serde_json::{Map, Value};

use crate::failure::Failure;
use crate::spreadsheet::table;

const TITLES: [&str; 5] = ["section", "row", "key", "figure", "value"];

/// What names a row of a section.
const KEYS: [&str; 6] = ["family", "theme", "position", "start", "name", "from"];

/// The report as CSV. The figures are those of its JSON, under the same names; those of an object within a row have its name before a
/// dot. Rows are counted from 1 in each section.
pub(super) fn csv(report: &Report) -> Result<String, Failure> {
    let json = serde_json::to_value(report).map_err(std::io::Error::from)?;
    let mut rows = Vec::new();
    for (section, content) in json.as_object().into_iter().flatten() {
        match content {
            Value::Array(all) => {
                for (number, row) in (1_u32..).zip(all) {
                    if let Value::Object(figures) = row {
                        add(section, number, figures, &mut rows);
                    }
                }
            }
            Value::Object(figures) => add(section, 1, figures, &mut rows),
            single => rows.push(line("report", 1, "", section, single)),
        }
    }
    Ok(table(&TITLES, rows))
}

/// Adds the figures of one row.
fn add(section: &str, number: u32, figures: &Map<String, Value>, rows: &mut Vec<Vec<String>>) {
    let named = KEYS.iter().find(|key| figures.contains_key(**key));
    let key = named.map_or_else(String::new, |key| cell(&figures[*key]));
    for (figure, value) in figures {
        match value {
            _ if named == Some(&&**figure) => {}
            Value::Object(inner) => rows.extend(inner.iter().map(|(name, value)| {
                line(section, number, &key, &format!("{figure}.{name}"), value)
            })),
            value => rows.push(line(section, number, &key, figure, value)),
        }
    }
}

fn line(section: &str, number: u32, key: &str, figure: &str, value: &Value) -> Vec<String> {
    let number = number.to_string();
    let fields = [section, &number, key, figure, &cell(value)];
    fields.map(str::to_owned).to_vec()
}

/// A value as text: nothing for `null`, and the items of a list with spaces between them.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(cell).collect();
            items.join(" ")
        }
        other => other.to_string(),
    }
}
