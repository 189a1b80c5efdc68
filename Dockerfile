# Arkstone as a container: one binary and the C library it needs, no shell, no package manager, no rights. Minter, resolver
# and repository together by default, or one role: `docker run … arkstone resolver` (docs/install.md).

# Images are named by digest (docs/install.md tells how to renew them).

# Stage 1: the binary, from the locked packages. Bun comes from the package registry, where a published version cannot be replaced.
FROM node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d AS build
RUN npm install --global bun@1.4.4
WORKDIR /arkstone
COPY package.json bun.lock LICENSE ./
RUN bun install --frozen-lockfile --ignore-scripts
COPY src ./src
COPY plugins ./plugins
COPY db ./db
COPY client ./client
ARG COMMIT=unknown
RUN bun run build --commit "$COMMIT"
# A volume mounted on either begins as it is here: owned by the one who writes to it.
RUN mkdir -p data/files

# Stage 2: nothing but that. The number is the user "nonroot" of the distroless images.
FROM gcr.io/distroless/base-nossl-debian12:nonroot@sha256:be40c00dfabd86576d92666e87e406714d5618342de1a0c213ad232de255172e
COPY --from=build /arkstone/dist/arkstone /arkstone
COPY --from=build --chown=65532:65532 /arkstone/data /data
ENV SVC_DATA_DIR=/data \
    SVC_HOST=0.0.0.0
USER 65532:65532
WORKDIR /data
VOLUME /data
EXPOSE 8000 8001 8002
# Requests in flight get ten seconds; give the container longer than that: `docker stop --time 20`, or stop_grace_period.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 CMD ["/arkstone", "health"]
ENTRYPOINT ["/arkstone"]
CMD ["up"]
