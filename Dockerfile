# The current LTS; the service runs on Node 20.19 and newer.
FROM node:26-bookworm-slim AS base
WORKDIR /app
ENV npm_config_update_notifier=false
COPY package.json package-lock.json .npmrc ./

FROM base AS build
# What only the build needs stands with the optional dependencies.
RUN npm ci --omit=dev
COPY scripts scripts
COPY config config
COPY libs libs
COPY apps apps
COPY docs docs
RUN npm run build

# The embedded PostgreSQL and the compiler are optional dependencies: the image expects DATABASE_URL. Nothing reads maps and types of packages.
FROM base AS dependencies
RUN npm ci --omit=dev --omit=optional \
  && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
# Node links to libatomic, which the base of the image lacks.
RUN mkdir -p /runtime/lib /runtime/data && cp -L /usr/lib/*-linux-gnu/libatomic.so.1 /runtime/lib

# glibc and libstdc++, no shell, no npm.
FROM gcr.io/distroless/cc-debian12
# User 1000 has no name there, and so no home of its own.
ENV NODE_ENV=production PORT=3000 HOME=/app
WORKDIR /app
COPY --from=base /usr/local/bin/node /usr/local/bin/node
COPY --from=dependencies /runtime/lib /usr/lib
# Mail is written to DATA_DIR while SMTP_URL is not set.
COPY --from=dependencies --chown=1000:1000 /runtime/data .data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
USER 1000:1000
EXPOSE 3000
# Docker waits 10 seconds before it kills: give it the 20 of docs/operations.md (docker run --stop-timeout 20).
# Unhealthy is who answers 503, without its database for instance: Docker shows it, Swarm starts the container anew.
# It asks HOST where that is one address.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "const host = (process.env.HOST ?? '').trim(); const at = ['', '0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host.includes(':') ? '[' + host + ']' : host; fetch('http://' + at + ':' + process.env.PORT + '/health/ready').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-old-space-size=512", "--max-semi-space-size=8", "dist/apps/api/main.js"]
