import type { Clock } from "@/events/core/clock";

/**
 * The time in milliseconds that a page waits for its device's storage. Working storage answers
 * within milliseconds, or within a second or two on a busy disk.
 */
export const devicePatience = 5_000;

/**
 * Settles as `promise` does, or rejects with a TimeoutError after `limit` milliseconds. The storage
 * of some browsers never answers.
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
