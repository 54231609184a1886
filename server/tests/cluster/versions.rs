//! The versions of the program that nodes of a campaign run, in turn.

use crate::cluster::Cluster;
use crate::node::{NEXT, Node};

/// Which version nodes are started as.
pub(crate) enum Versions {
    /// This one, and then a next one, which is this one with a further migration.
    ThisAndNext,
    /// An older one and this one, in turn.
    OlderAndThis {
        older: String,
        /// Whether it is the older one's turn.
        back: bool,
    },
}

impl Versions {
    /// With an older program, if there is one.
    pub(crate) fn beginning_with(older: Option<String>) -> Self {
        match older {
            Some(older) => Self::OlderAndThis { older, back: true },
            None => Self::ThisAndNext,
        }
    }

    /// From now on nodes are started as the other version. The tables are made ready for it: the migration of the newer one is never undone.
    pub(crate) async fn step(&mut self, cluster: &Cluster) {
        match self {
            Self::ThisAndNext => cluster.migrate_to_next().await,
            Self::OlderAndThis { back, .. } => {
                *back = !*back;
                if !*back {
                    cluster.migrate().await;
                }
            }
        }
    }

    /// Starts a node as the version whose turn it is. An older one that the tables no longer serve says so, and the newer one stays.
    pub(crate) async fn start(&mut self, node: &mut Node) {
        match self {
            Self::ThisAndNext => node.plant(NEXT),
            Self::OlderAndThis { older, back: true } => {
                node.become_program(Some(older));
                let Err(refused) = node.try_start(&[]).await else {
                    return;
                };
                assert!(refused.contains("newer"), "{refused}");
                eprintln!("the tables do not serve {older} any more: {refused}");
                node.become_program(None);
            }
            Self::OlderAndThis { back: false, .. } => node.become_program(None),
        }
        node.start().await;
    }

    /// Makes the tables such that this version can read them.
    pub(crate) async fn end(&self, cluster: &Cluster) {
        if let Self::OlderAndThis { .. } = self {
            cluster.migrate().await;
        }
    }
}
