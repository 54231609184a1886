//! What is said on stderr while the full screen is on: it waits until the screen is left, so that it does not spoil the picture.

use std::sync::{Mutex, PoisonError};

/// Texts that wait; later ones are dropped.
const WAITING: usize = 64;

/// The texts that wait; `None` while nothing is to wait.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

/// From now on texts wait.
pub(crate) fn begin() {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.get_or_insert_default();
}

/// Takes a text if texts are to wait; whether it did.
pub(crate) fn hold(text: &str) -> bool {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(texts) = held.as_mut() else {
        return false;
    };
    if texts.len() < WAITING {
        texts.push(text.to_owned());
    }
    true
}

/// From now on texts do not wait any more. Those that did.
pub(crate) fn end() -> Vec<String> {
    let mut held = HELD.lock().unwrap_or_else(PoisonError::into_inner);
    held.take().unwrap_or_default()
}
