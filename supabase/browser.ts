import { createBrowserClient } from '@supabase/ssr'
import type { SupabaseClient } from '@supabase/supabase-js'
import { authCookie } from './cookie'

// What browsers let outlive a page, all such requests of the page together.
const keepaliveBytes = 16_384

/** A small write outlives the page that made it: who trashes a document and closes the window has trashed it. */
function lastingFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const small = typeof init?.body === 'string' && init.body.length <= keepaliveBytes
  return fetch(input, small ? { ...init, keepalive: true } : init)
}

/** Makes the tab's one client; its session lives in a cookie, so that the server renders as the same person. */
export function browserClient(url: string, publishableKey: string): SupabaseClient {
  return createBrowserClient(url, publishableKey, {
    cookieOptions: { name: authCookie, path: '/', sameSite: 'lax', secure: location.protocol === 'https:' },
    // The confirmation route answers links, so a code in an address is never spent by a page that happens to be open.
    auth: { detectSessionInUrl: false },
    global: { fetch: lastingFetch },
  })
}
