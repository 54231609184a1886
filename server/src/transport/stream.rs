//! What a connection is read from and written to.

use tokio::net::TcpStream;
use tokio_rustls::server::TlsStream;
use tokio_util::either::Either;

/// A connection, encrypted or not.
pub(super) type Stream = Either<TcpStream, Box<TlsStream<TcpStream>>>;
