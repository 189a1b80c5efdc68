# Arkstone as a container: minter and resolver together by default, or one role (`docker run … arkstone resolver`).
FROM oven/bun:1.4.4 AS packages
WORKDIR /arkstone
COPY package.json bun.lock ./
RUN bun install --frozen-lockfile --production

FROM oven/bun:1.4.4-slim
WORKDIR /arkstone
COPY --from=packages /arkstone/node_modules ./node_modules
COPY package.json ./
COPY src ./src
COPY plugins ./plugins
COPY db ./db
RUN mkdir /data && chown bun:bun /data
ENV NODE_ENV=production \
    SVC_DATA_DIR=/data \
    SVC_HOST=0.0.0.0
USER bun
VOLUME /data
EXPOSE 8000 8001
# SVC_PORT where one is set; otherwise whichever of the two roles runs here.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["bun", "-e", "const ports = process.env.SVC_PORT ? [process.env.SVC_PORT] : [8000, 8001]; const up = await Promise.all(ports.map((port) => fetch(`http://127.0.0.1:${port}/healthz`).then((answer) => answer.ok, () => false))); process.exit(up.includes(true) ? 0 : 1)"]
ENTRYPOINT ["bun", "src/main/cli.ts"]
CMD ["up"]
