# The current LTS; the service runs on Node 20.19 and newer.
FROM node:26-bookworm-slim AS base
WORKDIR /app
ENV npm_config_update_notifier=false
COPY package.json package-lock.json .npmrc ./

FROM base AS build
RUN npm ci --omit=optional
COPY tsconfig.json tsconfig.build.json nest-cli.json ./
COPY config config
COPY libs libs
COPY apps apps
RUN npm run build

# The embedded PostgreSQL is an optional dependency: the image expects DATABASE_URL.
FROM base AS dependencies
RUN npm ci --omit=dev --omit=optional && npm cache clean --force

FROM node:26-bookworm-slim
ENV NODE_ENV=production PORT=3000
WORKDIR /app
# Mail is written to DATA_DIR while SMTP_URL is not set.
RUN mkdir .data && chown node:node .data
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json ./
USER node
EXPOSE 3000
# Docker waits 10 seconds before it kills: give it the 20 of docs/operations.md (docker run --stop-timeout 20).
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health/live').then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-old-space-size=512", "dist/apps/api/main.js"]
