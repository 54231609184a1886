//! Types of secrets and texts of SQL, as the source has them.

use std::fs;
use std::path::Path;

/// Every type that holds a secret or its hash, and its file.
const SECRET_TYPES: [(&str, &str); 6] = [
    ("Secret", "shared/src/protocol/secret.rs"),
    ("SecretHash", "server/src/store/account.rs"),
    ("PasswordHash", "server/src/store/account.rs"),
    ("AddressSecret", "server/src/store/address_secret.rs"),
    ("Password", "server/src/identity/password.rs"),
    ("Token", "server/src/identity/token.rs"),
];

/// Files that put texts of SQL together, all from constants, and names of roles as the database writes them: values are bound.
const SQL_FROM_PARTS: [&str; 7] = [
    "server::fsck",
    "server::store::postgres::lists",
    "server::store::postgres::rights",
    "server::store::sqlite::lists",
    "server::store::sqlite::removal",
    "server::store::sqlite::schema",
    "server::store::sqlite::sums",
];

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// What a type derives.
fn derives<'s>(source: &'s str, name: &str) -> &'s str {
    let at = source
        .find(&format!("struct {name}("))
        .unwrap_or_else(|| panic!("there is no struct {name}"));
    let before = source[..at]
        .trim_end_matches(|c: char| c != '\n')
        .trim_end();
    let begin = before.rfind("\n\n").map_or(0, |begin| begin + 2);
    let attributes = &before[begin..];
    let derive = attributes
        .find("#[derive(")
        .map(|derive| &attributes[derive..]);
    derive.map_or("", |derive| &derive[..derive.find(")]").expect("it ends")])
}

#[test]
fn no_secret_is_compared_byte_by_byte() {
    for (name, path) in SECRET_TYPES {
        let source = read(path);
        let derives = derives(&source, name);
        for forbidden in ["PartialEq", "PartialOrd", "Hash", "Debug"] {
            assert!(!derives.contains(forbidden), "{name} derives {forbidden}");
        }
        let compared = source.contains(&format!("impl PartialEq for {name} "));
        assert!(
            !compared || source.contains("ct_eq("),
            "{name} is compared in another way"
        );
    }
    let planted = "/// A secret.\n#[derive(Clone, PartialEq, Eq)]\npub struct Secret(String);\n";
    assert!(derives(planted, "Secret").contains("PartialEq"));
}

/// sqlx takes constants as statements, and other texts only inside `AssertSqlSafe`.
#[test]
fn statements_of_sql_are_constants_but_in_files_that_are_known() {
    let files = crate::files_of("server", "server");
    let mut from_parts: Vec<&str> = files
        .iter()
        .filter(|(_, source)| source.contains("AssertSqlSafe("))
        .map(|(home, _)| home.as_str())
        .collect();
    from_parts.sort_unstable();
    assert_eq!(
        from_parts, SQL_FROM_PARTS,
        "no value of a client belongs into a statement: bind it"
    );
}
