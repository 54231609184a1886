//! A bot for measurements: takes one from the first heap of Nim that is not empty, at once, so that nim:2,3,5 is ten moves.
//! It allocates nothing while it plays.

use std::io::{BufRead, Write};

fn main() -> std::io::Result<()> {
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let mut line = String::new();
    loop {
        line.clear();
        if input.read_line(&mut line)? == 0 {
            return Ok(());
        }
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("grundy") => output.write_all(b"bot name quick\nok\n")?,
            Some("go") => {
                let (mut id, mut position) = ("0", "nim:1");
                while let (Some(key), Some(value)) = (words.next(), words.next()) {
                    match key {
                        "id" => id = value,
                        "position" => position = value,
                        _ => {}
                    }
                }
                let heaps = position.trim_start_matches("nim:").split(',');
                let heap = heaps.take_while(|heap| *heap == "0").count();
                writeln!(output, "move {id} {}-1", char::from(b'A' + heap as u8))?;
            }
            Some("quit") => return Ok(()),
            _ => {}
        }
        output.flush()?;
    }
}
