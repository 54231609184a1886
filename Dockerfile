# The server alone: no shell, no package manager, not root; it writes to /data and nowhere else.
FROM rust:1.95-slim-bookworm AS build
# The allocator's own build needs make.
RUN apt-get update && apt-get install -y --no-install-recommends make && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY Cargo.toml Cargo.lock clippy.toml ./
COPY shared shared
COPY words words
COPY server server
COPY client-cli client-cli
COPY migrations migrations
RUN cargo build --release --locked -p grundy-server && mkdir /data /backups

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /src/target/release/grundy-server /usr/local/bin/grundy-server
# A named volume that is new takes over the owner of what it covers.
COPY --from=build --chown=65532:65532 /data /data
COPY --from=build --chown=65532:65532 /backups /backups
# Inside of a container every peer is beyond loopback. Publish the port on 127.0.0.1, or to a proxy that ends TLS.
ENV GRUNDYD_LISTEN=0.0.0.0:7310 \
    GRUNDYD_DATA=/data \
    GRUNDYD_BEHIND_PROXY=true
USER 65532:65532
VOLUME ["/data"]
EXPOSE 7310
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 CMD ["/usr/local/bin/grundy-server", "health"]
ENTRYPOINT ["/usr/local/bin/grundy-server"]
