import { browserClient } from '../supabase/browser'
import type { AuthPort } from './auth'
import { supabaseStore, type Store } from './store'
import { supabaseAuth } from './supabase-auth'

/** Everything that a tab reaches its backend by, all under the identity of its one session. */
export type Backend = { auth: AuthPort; store: Store }

/** Connects this tab; call it once, since every client keeps its own timers and sockets. */
export function connectBackend({ url, key }: { url: string; key: string }): Backend {
  const client = browserClient(url, key)
  return { auth: supabaseAuth(client, location.origin), store: supabaseStore(client) }
}
