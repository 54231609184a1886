//! Which tables have a sum, and the text of their rows that it is made of.

use std::collections::BTreeMap;

use sqlx::sqlite::SqliteConnection;

use crate::store::StoreError;

/// Tables without a sum: moves write to the journal alone, whose extent is noted in `run`; the others hold the sums themselves, say how the
/// file is used, or hold zeros.
const NOT_COVERED: [&str; 4] = ["batch", "table_sum", "run", "scrub"];

/// The table of tables.
const SCHEMA: &str = "sqlite_schema";

/// A table with a sum.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Covered {
    pub(crate) name: String,
    columns: Vec<String>,
}

impl Covered {
    /// All of them, by their names.
    pub(crate) async fn read(connection: &mut SqliteConnection) -> Result<Vec<Self>, StoreError> {
        let columns: Vec<(String, String)> = sqlx::query_as(
            "SELECT of.name, has.name FROM main.sqlite_schema AS of JOIN pragma_table_info(of.name, 'main') AS has \
             WHERE of.type = 'table' AND of.name NOT LIKE 'sqlite_%' ORDER BY of.name, cid",
        )
        .fetch_all(connection)
        .await?;
        let mut tables = BTreeMap::<_, Vec<_>>::new();
        for (table, column) in columns {
            tables.entry(table).or_default().push(column);
        }
        tables.retain(|table, _| !NOT_COVERED.contains(&table.as_str()));
        // Tables, indexes and their definitions. Only migrations change them.
        let schema = ["type", "name", "tbl_name", "sql"].map(str::to_owned);
        tables.insert(SCHEMA.to_owned(), schema.to_vec());
        let covered = |(name, columns)| Self { name, columns };
        Ok(tables.into_iter().map(covered).collect())
    }

    /// Of a name and columns as they were recorded.
    pub(super) fn of(name: String, columns: &str) -> Self {
        let columns = columns.split(' ').map(str::to_owned).collect();
        Self { name, columns }
    }

    /// What its sum covers.
    pub(crate) fn columns(&self) -> String {
        self.columns.join(" ")
    }

    /// The expression for the text of a row. Of the events in a segment it has the length alone: their hash chain covers the rest.
    fn text(&self, row: &str) -> String {
        let value = |column: &String| {
            let value = format!("{row}\"{column}\"");
            match (self.name.as_str(), column.as_str()) {
                ("segment", "body") => format!("length({value})"),
                _ => format!("typeof({value}) || hex({value})"),
            }
        };
        let values: Vec<_> = self.columns.iter().map(value).collect();
        values.join(" || ',' || ")
    }

    /// The statement that reads the texts of all rows.
    pub(crate) fn select(&self) -> String {
        format!("SELECT {} FROM \"{}\"", self.text(""), self.name)
    }

    /// The statements after which every change of the table by this connection is noted in `changed`.
    pub(super) fn watch(&self) -> String {
        if self.name == SCHEMA {
            return String::new();
        }
        let (name, old, new) = (&self.name, self.text("old."), self.text("new."));
        let note = |rows: &[(i8, &String)]| {
            let rows = rows
                .iter()
                .map(|(count, text)| format!("('{name}', {count}, {text})"));
            let rows: Vec<_> = rows.collect();
            format!(
                "INSERT INTO changed (name, count, text) VALUES {};",
                rows.join(", ")
            )
        };
        let trigger = |event: &str, note: String| {
            format!(
                "CREATE TEMP TRIGGER \"{name}_{event}\" AFTER {event} ON main.\"{name}\" BEGIN {note} END;"
            )
        };
        [
            trigger("INSERT", note(&[(1, &new)])),
            trigger("UPDATE", note(&[(-1, &old), (1, &new)])),
            trigger("DELETE", note(&[(-1, &old)])),
        ]
        .concat()
    }
}
