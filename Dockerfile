# An image of Palimpsest: docs/operate/install.md.
ARG NODE_IMAGE=node:22-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /srv/palimpsest
COPY package.json package-lock.json ./
RUN npm ci --include=dev --no-audit --no-fund --loglevel=error
COPY . .
ENV BUILD_ONCE=1
RUN npm start -- --build-only
# The PDF export uses two of up to nine weights of each font.
RUN npm prune --omit=dev --no-audit --no-fund --loglevel=error \
  && find node_modules/@expo-google-fonts -name '*.ttf' \
    ! -path '*/400Regular*' ! -path '*/700Bold*' -delete \
  && rm -rf .next/cache tests docs

FROM ${NODE_IMAGE}
RUN useradd --create-home --uid 10001 palimpsest \
  && mkdir --mode=700 /data /state && chown palimpsest:palimpsest /data /state
WORKDIR /srv/palimpsest
COPY --from=build /srv/palimpsest /srv/palimpsest
USER palimpsest
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data STATE_DIR=/state
VOLUME ["/data", "/state"]
EXPOSE 3000
# The first start creates the database.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/ready').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=64", "supabase/local/start.mjs", "--prebuilt"]
