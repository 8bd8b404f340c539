import { createActor } from 'xstate'
import type { PresenceState } from '@/events/presence-list'
import { presenceMachine, presenceState } from '@/machines/actors/presence'

const signs = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const
/** Pointer moves come by the hundred; once a second is enough to know. */
const heedEvery = 1_000

/** Tells how awake this tab's person is, now and whenever it changes, by the page's own signs; answers how to stop. */
export function watchPresence(tell: (state: PresenceState) => void): () => void {
  const actor = createActor(presenceMachine)
  actor.subscribe((snapshot) => tell(presenceState(snapshot)))
  actor.start()
  let last = -Infinity
  const act = (event: Event) => {
    if (event.timeStamp - last < heedEvery) return
    last = event.timeStamp
    actor.send({ type: 'acted' })
  }
  const look = () => actor.send({ type: document.hidden ? 'page.hidden' : 'page.seen' })
  look()
  for (const sign of signs) addEventListener(sign, act, { passive: true, capture: true })
  document.addEventListener('visibilitychange', look)
  return () => {
    actor.stop()
    for (const sign of signs) removeEventListener(sign, act, { capture: true })
    document.removeEventListener('visibilitychange', look)
  }
}
