import { type Clock } from "@/events/core/clock";

/** Holds a name for as long as its tab lives; answers the release, or null while another tab holds it. */
export type TabLocks = { hold(name: string): Promise<(() => void) | null> };

const lease = { lasts: 15_000, renewed: 5_000, retried: 1_000 };

/** Web Locks: the browser itself knows which tabs live. */
function webLocks(manager: LockManager): TabLocks {
  return {
    hold: (name) =>
      new Promise((resolve, reject) => {
        manager
          .request(name, { ifAvailable: true }, (lock) => {
            if (lock) return new Promise<void>((release) => resolve(release));
            resolve(null);
            return undefined;
          })
          .catch(reject);
      }),
  };
}

type LeaseStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Leases in a storage that tabs share, for insecure origins, where browsers hide Web Locks. */
export function leaseLocks(storage: LeaseStorage, clock: Clock): TabLocks {
  return {
    async hold(name) {
      const left = Number(storage.getItem(name) ?? 0) - clock.now();
      // More than a lease lasts is left only of one taken before somebody set the clock back.
      if (left > 0 && left <= lease.lasts) return null;
      storage.setItem(name, String(clock.now() + lease.lasts));
      let cancel = clock.after(lease.renewed, renew);
      function renew() {
        cancel = clock.after(
          renewed(storage, name, clock.now() + lease.lasts) ? lease.renewed : lease.retried,
          renew,
        );
      }
      return () => {
        cancel();
        // What cannot be given back runs out.
        renewed(storage, name, null);
      };
    },
  };
}

/** Says until when a lease lasts, or that it has ended; false where the storage does not take it. */
function renewed(storage: LeaseStorage, name: string, until: number | null): boolean {
  try {
    if (until === null) storage.removeItem(name);
    else storage.setItem(name, String(until));
    return true;
  } catch {
    return false;
  }
}

/** The locks that this browser has; where it has none, holding one rejects, and nothing is kept that another tab could take for left behind. */
export function deviceLocks(clock: Clock): TabLocks {
  return {
    async hold(name) {
      // The types promise both; insecure origins hide the one, and a browser that stores nothing throws at the other.
      const manager: LockManager | undefined = navigator.locks;
      return (manager === undefined ? leaseLocks(localStorage, clock) : webLocks(manager)).hold(
        name,
      );
    },
  };
}
