/** Nothing keeps the rest of a page waiting for longer than this. */
const longest = 8_000

let first = 0
const waiting = new Set<() => void>()

/** Lets what can wait be fetched later: until the answer is called, which a page does once it can be used. */
export function comeFirst(): () => void {
  let done = false
  const release = () => {
    if (done) return
    done = true
    clearTimeout(timer)
    first -= 1
    if (first === 0) for (const go of waiting) go()
  }
  first += 1
  const timer = setTimeout(release, longest)
  return release
}

/** Resolves once the page is loaded and shown, and whatever comes first is there; only in a browser. */
export async function afterFirstThings(): Promise<void> {
  if (document.readyState !== 'complete') await new Promise((loaded) => addEventListener('load', loaded, { once: true }))
  await idle()
  while (first > 0) {
    await new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go)
        resolve()
      }
      waiting.add(go)
    })
  }
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 500 })
    else setTimeout(resolve, 50)
  })
}
