//! A move of a component, without its type.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A move of a component whose game is not known to the holder. Cheap to clone.
pub(crate) type ComponentMove = Arc<dyn AnyMove>;

/// A move without its type.
pub(crate) trait AnyMove: fmt::Debug + fmt::Display + Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn equals(&self, other: &dyn AnyMove) -> bool;
}

impl<M: Clone + fmt::Debug + fmt::Display + Eq + Send + Sync + 'static> AnyMove for M {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn AnyMove) -> bool {
        other.as_any().downcast_ref::<M>() == Some(self)
    }
}
