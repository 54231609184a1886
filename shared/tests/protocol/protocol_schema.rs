//! `docs/protocol.schema.json` is what the types say; `GRUNDY_REGENERATE=1` writes it anew.

use std::path::Path;

#[test]
fn the_committed_schema_is_what_the_types_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol.schema.json");
    let generated = grundy_shared::protocol::schema::json_schema();
    if std::env::var_os("GRUNDY_REGENERATE").is_some() {
        std::fs::write(&path, &generated).expect("docs/ can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("docs/protocol.schema.json exists");
    assert!(
        generated == committed,
        "docs/protocol.schema.json is stale: run `GRUNDY_REGENERATE=1 cargo test -p grundy-shared --test protocol`"
    );
}
