import { type Clock } from "@/events/core/clock";

/**
 * How long a page waits for its device before it goes on without: storage that answers at all takes
 * milliseconds, on a busy disk a second or two.
 */
export const devicePatience = 5_000;

/**
 * Settles as `promise` does, or rejects with a TimeoutError once `limit` milliseconds have gone by:
 * some browsers' storage never answers.
 */
export function withDeadline<T>(
  clock: Pick<Clock, "after">,
  promise: Promise<T>,
  limit = devicePatience,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(limit, () =>
      reject(new DOMException("The device did not answer", "TimeoutError")),
    );
    promise.finally(cancel).then(resolve, reject);
  });
}
