//! What a cluster is wired with.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use crate::cable::Cable;
use crate::namespace::Hub;
use crate::proxy::Proxy;

/// What a cluster is to be wired with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wires {
    /// Proxies of ours.
    Proxies,
    /// The kernel's, with a namespace for each server.
    Namespaces,
}

impl Wires {
    /// Tries whether namespaces can be made and wired, as on most machines where the tests run as root.
    ///
    /// # Errors
    /// Why not.
    pub(crate) fn try_namespaces() -> Result<(), String> {
        Hub::with(1)?.check()
    }
}

/// The ways of a cluster.
pub(crate) enum Wiring {
    Proxies,
    Namespaces(Hub),
}

impl Wiring {
    /// For so many servers.
    pub(crate) fn new(wires: Wires, count: usize) -> Self {
        match wires {
            Wires::Proxies => Self::Proxies,
            Wires::Namespaces => {
                let hub = Hub::with(count);
                Self::Namespaces(hub.unwrap_or_else(|why| panic!("no namespaces: {why}")))
            }
        }
    }

    /// Where database and bus listen for the servers, and the range of addresses from which those come. `None`: on loopback.
    pub(crate) fn hub(&self) -> Option<(Ipv4Addr, String)> {
        match self {
            Self::Proxies => None,
            Self::Namespaces(hub) => Some((hub.address(), hub.range())),
        }
    }

    /// The way from a server to what listens at this port.
    pub(crate) async fn cable_from(&self, number: usize, port: u16) -> Cable {
        match self {
            Self::Proxies => Cable::through(Proxy::before(port).await),
            Self::Namespaces(hub) => {
                let address = SocketAddr::from((hub.address(), port));
                Cable::over(hub.wire_to(number, port), address)
            }
        }
    }

    /// The way from clients to a server that listens at this port of its loopback.
    pub(crate) async fn cable_to(&self, number: usize, port: u16) -> Cable {
        match self {
            Self::Proxies => Cable::through(Proxy::before(port).await),
            Self::Namespaces(hub) => {
                let (wire, address): (_, IpAddr) = hub.wire_into(number, port);
                Cable::over(wire, SocketAddr::from((address, port)))
            }
        }
    }

    /// What runs a server in its namespace, if it has one.
    pub(crate) fn entrance(&self, number: usize) -> Option<Vec<String>> {
        match self {
            Self::Proxies => None,
            Self::Namespaces(hub) => Some(hub.entrance(number)),
        }
    }
}
