//! Tables for spreadsheets and other programs (RFC 4180, with `\n` between lines).

use crate::render::clean;

/// A table: its titles, then one line for each row; a field is quoted where it must be. Every row
/// has as many fields as there are titles. A field that a spreadsheet would take for a formula has `'` before it, and what a terminal would obey is left out, since
/// names come from other players.
pub(crate) fn table(titles: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(titles);
    let written = rows.into_iter().fold(written, |written, row| {
        written.and(writer.write_record(row.iter().map(|field| harmless(field))))
    });
    written.expect("rows are as long as their titles, and a Vec takes every byte");
    let bytes = writer.into_inner().expect("a Vec takes every byte");
    String::from_utf8(bytes).expect("every field is text")
}

/// A field that is text for a spreadsheet, and for a terminal.
fn harmless(field: &str) -> String {
    let field = clean(field);
    let is_formula = field.starts_with(['=', '+', '-', '@']) && field.parse::<f64>().is_err();
    match is_formula {
        true => format!("'{field}"),
        false => field,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_field_is_no_formula_and_no_command_to_a_terminal() {
        let names = [
            ("=1+1", "'=1+1"),
            ("@SUM(1)", "'@SUM(1)"),
            ("+x", "'+x"),
            ("-x", "'-x"),
            ("-1.5", "-1.5"),
            ("a\u{1b}[31mb\u{202e}", "a[31mb"),
        ];
        let rows = names.map(|(name, _)| vec![name.to_owned()]);
        let text = super::table(&["name"], rows);
        let lines: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(lines, names.map(|(_, shown)| shown));
    }

    #[test]
    fn a_field_is_quoted_only_where_it_must_be() {
        let row = |name: &str| vec![name.to_owned(), "1".to_owned()];
        let rows = [row("Lee, Ann"), row("Bo \"the bot\""), row("Kim")];
        let text = super::table(&["name", "points"], rows);
        let expected = "name,points\n\"Lee, Ann\",1\n\"Bo \"\"the bot\"\"\",1\nKim,1\n";
        assert_eq!(text, expected);
    }
}
