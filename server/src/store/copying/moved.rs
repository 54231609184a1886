//! The note in a store that its records are in another one now, so that nobody plays on in the old one unawares.

/// How such a note begins. What an unfinished copy notes begins otherwise.
const MOVED: &str = "moved to ";

/// The note.
pub(crate) fn note(place: &str) -> String {
    format!("{MOVED}{place}")
}

/// Where the records are, if this is such a note.
pub(crate) fn place_of(note: &str) -> Option<&str> {
    note.strip_prefix(MOVED)
}
