//! Tables for spreadsheets and other programs (RFC 4180, with `\n` between lines).

/// A table: its titles, then one line for each row; a field is quoted where it must be. Every row
/// has as many fields as there are titles.
pub(crate) fn table(titles: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = writer.write_record(titles);
    let written = rows.into_iter().fold(written, |written, row| {
        written.and(writer.write_record(row))
    });
    written.expect("rows are as long as their titles, and a Vec takes every byte");
    let bytes = writer.into_inner().expect("a Vec takes every byte");
    String::from_utf8(bytes).expect("every field is text")
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_field_is_quoted_only_where_it_must_be() {
        let row = |name: &str| vec![name.to_owned(), "1".to_owned()];
        let rows = [row("Lee, Ann"), row("Bo \"the bot\""), row("Kim")];
        let text = super::table(&["name", "points"], rows);
        let expected = "name,points\n\"Lee, Ann\",1\n\"Bo \"\"the bot\"\"\",1\nKim,1\n";
        assert_eq!(text, expected);
    }
}
