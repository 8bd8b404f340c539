import { type Clock } from '../clock'

/** Holds a name for as long as its tab lives; answers the release, or null while another tab holds it. */
export type TabLocks = { hold(name: string): Promise<(() => void) | null> }

const lease = { lasts: 15_000, renewed: 5_000 }

/** Web Locks: the browser itself knows which tabs live. */
export function webLocks(manager: LockManager): TabLocks {
  return {
    hold: (name) =>
      new Promise((resolve, reject) => {
        manager
          .request(name, { ifAvailable: true }, (lock) => {
            if (lock) return new Promise<void>((release) => resolve(release))
            resolve(null)
            return undefined
          })
          .catch(reject)
      }),
  }
}

/** Leases in a storage that tabs share, for insecure origins, where browsers hide Web Locks. */
export function leaseLocks(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>, clock: Clock): TabLocks {
  return {
    async hold(name) {
      const left = Number(storage.getItem(name) ?? 0) - clock.now()
      // More than a lease lasts is left only of one taken before somebody set the clock back.
      if (left > 0 && left <= lease.lasts) return null
      let cancel = () => {}
      const renew = () => {
        storage.setItem(name, String(clock.now() + lease.lasts))
        cancel = clock.after(lease.renewed, renew)
      }
      renew()
      return () => {
        cancel()
        storage.removeItem(name)
      }
    },
  }
}
