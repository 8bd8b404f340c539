const pause = 3_000
/** So many times in vain, and then after as many again as `tellEvery`, it is asked whether the part is there at all. */
const doubtAfter = 3
const tellEvery = 10

const listeners = new Set<() => void>()

/** Hears of a part that a server which answers does not have any more: a newer release stands in the place of this page's. Answers the end of it. */
export function onPartGone(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function answers(): Promise<boolean> {
  return fetch('/robots.txt', { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

/** Fetches code until it comes: what a page cannot do without must outlive a moment without a network. */
export async function insisted<T>(fetch: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await fetch()
    } catch {
      if (failures % tellEvery === doubtAfter && (await answers())) for (const listener of listeners) listener()
      // The same address is asked again, at once when the network is back.
      await new Promise<void>((resolve) => {
        const again = () => {
          clearTimeout(timer)
          removeEventListener('online', again)
          resolve()
        }
        const timer = setTimeout(again, pause)
        addEventListener('online', again)
      })
    }
  }
}
