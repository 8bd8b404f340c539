const pause = 3_000

/** Fetches code until it comes: what a page cannot do without must outlive a moment without a network. */
export async function insisted<T>(fetch: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await fetch()
    } catch {
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
