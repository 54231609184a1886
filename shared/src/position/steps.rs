//! A move of a position: one step in each component that it changes.

use std::fmt;

use crate::erased::ComponentMove;

/// One move of a position. Prints in its canonical form: the moves of components joined by commas, each with the number of its
/// component before it where there are several.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Move {
    /// What is done in components, ascending; at least one.
    pub(crate) steps: Vec<Step>,
    /// Whether the numbers of components are printed.
    pub(crate) numbered: bool,
}

/// What a move does in one component.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Which component, from 0.
    pub(crate) component: usize,
    pub(crate) inner: ComponentMove,
}

impl PartialEq for Step {
    fn eq(&self, other: &Self) -> bool {
        self.component == other.component && self.inner.equals(&*other.inner)
    }
}

impl Eq for Step {}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, step) in self.steps.iter().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            if self.numbered {
                write!(f, "{}.", step.component + 1)?;
            }
            step.inner.fmt(f)?;
        }
        Ok(())
    }
}
