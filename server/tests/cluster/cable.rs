//! A way over TCP that can be cut: a proxy of ours, or a wire of the kernel.

use std::net::SocketAddr;

use crate::namespace::Wire;
use crate::proxy::Proxy;

/// What happens on the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Way {
    /// Everything passes.
    Open,
    /// Connections break, and new ones are refused.
    Cut,
    /// Everything passes, and takes its time: a proxy holds it back for a while, a wire loses some of it, which has to be sent again.
    Slow,
    /// Nothing reaches the server, and nobody notices.
    NothingUp,
    /// Nothing comes back from the server, and nobody notices.
    NothingDown,
    /// Connections that are there carry nothing more, and nobody notices; new ones pass. So it is after a firewall has lost what it knew.
    Forgotten,
}

/// A way to a server.
pub(crate) struct Cable {
    address: SocketAddr,
    kind: Kind,
}

enum Kind {
    Proxy(Proxy),
    Wire(Wire),
}

impl Cable {
    /// Through this proxy.
    pub(crate) fn through(proxy: Proxy) -> Self {
        Self {
            address: proxy.address(),
            kind: Kind::Proxy(proxy),
        }
    }

    /// Over this wire, to a server at this address.
    pub(crate) fn over(wire: Wire, address: SocketAddr) -> Self {
        Self {
            address,
            kind: Kind::Wire(wire),
        }
    }

    /// Where to connect to.
    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// From now on this happens.
    pub(crate) fn set(&self, way: Way) {
        match &self.kind {
            Kind::Proxy(proxy) => proxy.set(way),
            Kind::Wire(wire) => wire.set(way),
        }
    }
}
