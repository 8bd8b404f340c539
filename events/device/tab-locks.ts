import type { Clock } from "@/events/core/clock";

/**
 * Holds a name while its tab lives. Resolves to the release function, or to null while another tab
 * holds the name.
 */
export type TabLocks = { hold(name: string): Promise<(() => void) | null> };

/** Locks that a tab can also wait for. `wait` rejects when `signal` aborts. */
export type WaitingLocks = TabLocks & {
  wait(name: string, signal: AbortSignal): Promise<() => void>;
};

/**
 * Times in milliseconds. Browsers run a hidden page's timers only once a minute, so its lease lasts
 * longer.
 */
const lease = { lasts: 15_000, lastsHidden: 150_000, renewed: 5_000, retried: 1_000 };

/** Reports whether the lease's page is visible. */
type Visibility = { hidden(): boolean; onChange(listener: () => void): () => void };

const alwaysSeen: Visibility = { hidden: () => false, onChange: () => () => undefined };

/** Uses Web Locks: the browser itself knows which tabs are alive. */
function webLocks(manager: LockManager): WaitingLocks {
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
    wait: (name, signal) =>
      new Promise((resolve, reject) => {
        manager
          .request(name, { signal }, () => new Promise<void>((release) => resolve(release)))
          .catch(reject);
      }),
  };
}

type LeaseStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;

/** Uses leases in a storage that tabs share, where insecure origins hide Web Locks. */
export function leaseLocks(
  storage: LeaseStorage,
  clock: Clock,
  page: Visibility = alwaysSeen,
): WaitingLocks {
  const until = () => clock.now() + (page.hidden() ? lease.lastsHidden : lease.lasts);
  const locks: WaitingLocks = {
    async hold(name) {
      const left = Number(storage.getItem(name) ?? 0) - clock.now();
      // A remaining time longer than any lease means that the clock was set back after the lease
      // began.
      if (left > 0 && left <= lease.lastsHidden) return null;
      storage.setItem(name, String(until()));
      let cancel = clock.after(lease.renewed, renew);
      function renew() {
        cancel();
        cancel = clock.after(
          renewed(storage, name, until()) ? lease.renewed : lease.retried,
          renew,
        );
      }
      // A page that is about to be hidden can still renew; its next timer may be a minute away.
      const stop = page.onChange(renew);
      return () => {
        stop();
        cancel();
        // A lease that cannot be released expires.
        renewed(storage, name, null);
      };
    },
    async wait(name, signal) {
      for (;;) {
        signal.throwIfAborted();
        const release = await locks.hold(name);
        if (release) return release;
        await pause(clock, lease.retried, signal);
      }
    },
  };
  return locks;
}

/** Resolves after a delay, or when the signal aborts. */
function pause(clock: Clock, delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(delay, end);
    signal.addEventListener("abort", end);
  });
}

/** Stores a lease's end, or removes the lease. Returns false if the storage refuses. */
function renewed(storage: LeaseStorage, name: string, until: number | null): boolean {
  try {
    if (until === null) storage.removeItem(name);
    else storage.setItem(name, String(until));
    return true;
  } catch {
    return false;
  }
}

const pageVisibility: Visibility = {
  hidden: () => document.visibilityState === "hidden",
  onChange(listener) {
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  },
};

/**
 * Returns the browser's locks. Without any, `hold` rejects, so that no record is stored that
 * another tab could treat as leftovers.
 */
export function deviceLocks(clock: Clock): WaitingLocks {
  const available = (): WaitingLocks => {
    // The types promise both, but insecure origins hide `navigator.locks`, and a browser without
    // storage throws on `localStorage`.
    const manager: LockManager | undefined = navigator.locks;
    return manager === undefined
      ? leaseLocks(
          localStorage,
          clock,
          typeof document === "undefined" ? alwaysSeen : pageVisibility,
        )
      : webLocks(manager);
  };
  return {
    hold: async (name) => available().hold(name),
    wait: async (name, signal) => available().wait(name, signal),
  };
}
