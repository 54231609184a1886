//! The inputs that fuzzing has kept (fuzz/), fed to what reads them: no crash comes back.

use std::path::Path;

use data_encoding::BASE64;

#[path = "../../../fuzz/inputs/certificate.rs"]
mod certificate;
#[path = "../../../fuzz/inputs/config.rs"]
mod config;
#[path = "../../../fuzz/inputs/frame.rs"]
mod frame;
#[path = "../../../fuzz/inputs/position.rs"]
mod position;
#[path = "../../../fuzz/inputs/record.rs"]
mod record;
#[path = "../../../fuzz/inputs/reply.rs"]
mod reply;

/// A target and what it does with an input.
type Target = (&'static str, fn(&[u8]));

const TARGETS: [Target; 6] = [
    ("certificate", certificate::run),
    ("config", config::run),
    ("frame", frame::run),
    ("position", position::run),
    ("record", record::run),
    ("reply", reply::run),
];

#[test]
fn every_input_that_fuzzing_kept_is_read_or_refused() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus");
    for (name, run) in TARGETS {
        let path = corpus.join(format!("{name}.base64"));
        let lines = std::fs::read_to_string(&path);
        let lines = lines.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut inputs = 0;
        for line in lines.lines() {
            let input = BASE64.decode(line.as_bytes()).expect("base64");
            run(&input);
            inputs += 1;
        }
        assert!(inputs >= 50, "{name} has {inputs} inputs");
    }
}
