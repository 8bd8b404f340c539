import { reportError } from "@/events/core/error-report";
import { askRelease, partMissing } from "./release";

const pause = 3_000;
/** So many times in vain a part may not be had although its own build answers; then it is said to be missing. */
const doubtAfter = 3;
const askEvery = 10;

/** Fetches code until it comes: what a page cannot do without must outlive a moment without a network. */
export async function importWithRetry<T>(fetch: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await fetch();
    } catch (error) {
      reportError(error, { during: "fetching a part of the page", kind: "tolerated" });
      if (failures % askEvery === 1 || failures === doubtAfter) {
        // Told of by whoever watches the release; a build that is not this page's will never have the part.
        const answering = await askRelease();
        if (answering === "same" && failures >= doubtAfter) partMissing();
      }
      // The same address is asked again, at once when the network is back.
      await new Promise<void>((resolve) => {
        const again = () => {
          clearTimeout(timer);
          removeEventListener("online", again);
          resolve();
        };
        const timer = setTimeout(again, pause);
        addEventListener("online", again);
      });
    }
  }
}
