import type { Clock } from "@/events/core/clock";

/**
 * How long a page waits for its device's storage, in milliseconds. A working storage takes
 * milliseconds, or a second or two on a busy disk.
 */
export const devicePatience = 5_000;

/**
 * Settles as `promise` does, or rejects with a TimeoutError after `limit` milliseconds: some
 * browsers' storage never answers.
 */
export function withDeadline<T>(
  clock: Pick<Clock, "after">,
  promise: Promise<T>,
  limit = devicePatience,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limit, () =>
      reject(new DOMException("IndexedDB did not respond in time", "TimeoutError")),
    );
    promise.finally(cancel).then(resolve, reject);
  });
}
