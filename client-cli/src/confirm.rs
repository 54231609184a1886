//! Asking before something that cannot be undone. Asked are only people: a script is not stopped.

use std::path::Path;

use crate::failure::Failure;
use crate::output::Output;
use crate::session::lines::Lines;

/// Asks a yes-or-no question; no is the default.
pub(crate) async fn confirmed(output: &Output, question: &str) -> Result<bool, Failure> {
    output.text(&format!("{question} y/N "))?;
    let answer = Lines::of_stdin().next().await.unwrap_or_default();
    let answer = answer.trim().to_ascii_lowercase();
    Ok(matches!(&*answer, "y" | "yes"))
}

/// Whether a file may be written: asks where there is one already.
pub(crate) async fn may_write(output: &Output, path: &Path) -> Result<bool, Failure> {
    let is_there = path.is_file() && path.metadata().is_ok_and(|about| about.len() > 0);
    if !is_there || !output.asks {
        return Ok(true);
    }
    confirmed(output, &format!("{} exists. Overwrite it?", path.display())).await
}
