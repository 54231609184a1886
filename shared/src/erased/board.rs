//! What a picture of a component shows. The picture itself is the client's, drawn from the text of the component.

/// The kind of board that a game is played on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BoardKind {
    /// Lettered heaps: `3,5,7`.
    Heaps,
    /// Lettered rows of pins: `7,4`.
    Pins,
    /// One number that goes up to a target, both being parameters: `race.10.100:80`.
    Count,
    /// Two heaps, which are a queen on a chessboard as well: `5,8`.
    Queen,
    /// Stones on the steps of a staircase, lowest step first: `1,2,3`.
    Stairs,
    /// A row of coins: `TTHTH`.
    Coins,
    /// Coins on the squares of a strip that begins at 0: `2,3,7`.
    Squares,
    /// A strip of cells counted from 1, with marks or animals: `..x..`, `TT.F`.
    Cells,
    /// Rows of free and covered squares: `..x/...`.
    Grid,
    /// Rows of stones of two players and empty squares: `xo./oxo`.
    Stones,
    /// Rows of a bar of chocolate, none longer than the one before: `5,4,2`.
    Bar,
    /// Boards of three by three cells: `x...x..../.........`.
    Boards,
    /// Arcs in the parameters, tokens on their ends in the state: `dag.3-1.3-2:3,2`.
    Arcs,
    /// Arcs with one or more ends in the parameters, tokens in the state: `fork.3-1/2:3`.
    Forks,
    /// Edges in the parameters, the path walked in the state, its last vertex being where the token is: `geo.0-1.1-2:0,1`.
    Walk,
    /// The vertices and edges that are left: `0-1,1-2,3`. A move names a vertex.
    Vertices,
    /// The same; a move names an edge.
    Edges,
    /// Relations from the lower to the upper element, and elements by themselves: `0-1,0-2,3`. A move names an element.
    Order,
    /// Strings between coins and the ground, vertex 0, of which a move cuts several: `0-1,1-2,0-1`.
    Cuts,
    /// Vertices still to be painted, `b` if open to Left alone and `r` if to Right alone: `0-1,1b-2,3r`. A move names a vertex.
    Tints,
    /// Edges that are tied to the ground, vertex 0: `0-1-2,0-3`.
    Trees,
    /// What each player may move to: `2::1:0`, which is {2|{1|0}}.
    Options,
    /// Strings of 0s and 1s, none the beginning of another: `0,110`.
    Strings,
}
