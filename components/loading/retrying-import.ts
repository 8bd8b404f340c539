import { reportError } from "@/events/core/error-report";
import { askRelease, partMissing } from "./release";

const pause = 3_000;
/**
 * After this many failures a part counts as missing although its own build answers; the build is
 * asked for again at intervals.
 */
const doubtAfter = 3;
const askEvery = 10;

/**
 * Imports code and retries until it loads: a necessary part must survive a short loss of the
 * network.
 */
export async function importWithRetry<T>(fetch: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await fetch();
    } catch (error) {
      reportError(error, { during: "loading a chunk of the page", kind: "tolerated" });
      if (failures % askEvery === 1 || failures === doubtAfter) {
        // Subscribers of the release report it; another build will never have the part.
        const answering = await askRelease();
        if (answering === "same" && failures >= doubtAfter) partMissing();
      }
      // The same URL is requested again, at once when the network returns.
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
