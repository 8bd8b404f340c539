import { type RealtimeChannel } from '@supabase/supabase-js'

/** Subscribes and waits until the server let the channel in; a refusal rejects with its reason. */
export function joined(channel: RealtimeChannel): Promise<RealtimeChannel> {
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else reject(new Error(`${status}: ${error?.message ?? ''}`))
    })
  })
}

export type Heard = { type: 'broadcast'; event: string; payload?: unknown; meta?: { id: string; replayed?: boolean } }

/** The next broadcast of an event; register before subscribing. */
export function nextOf(channel: RealtimeChannel, event: string): Promise<Heard> {
  return new Promise((resolve) => {
    channel.on('broadcast', { event }, (message) => resolve(message))
  })
}
