//! What a typed line means.

/// A line that the user typed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Typed {
    /// Nothing.
    Empty,
    /// What can be typed?
    Help,
    /// Which moves are there?
    Moves,
    /// How much time is left?
    Clock,
    /// What is the position?
    Board,
    /// Give up.
    Resign,
    /// Call it off.
    Abort,
    /// Another one.
    Rematch,
    /// Yes.
    Yes,
    /// No.
    No,
    /// Leave; the match goes on.
    Quit,
    /// Anything else: a move, legal or not.
    Move(String),
}

impl Typed {
    /// Reads a line. Whole words only: no game has a move that is one of them.
    pub(crate) fn read(line: &str) -> Self {
        let line = line.trim();
        match line.to_ascii_lowercase().as_str() {
            "" => Self::Empty,
            "help" | "?" | "h" => Self::Help,
            "moves" => Self::Moves,
            "clock" | "time" => Self::Clock,
            "board" | "heaps" | "position" => Self::Board,
            "resign" => Self::Resign,
            "abort" => Self::Abort,
            "rematch" => Self::Rematch,
            "yes" | "y" => Self::Yes,
            "no" | "n" => Self::No,
            "quit" | "exit" | "q" => Self::Quit,
            _ => Self::Move(line.to_owned()),
        }
    }
}
