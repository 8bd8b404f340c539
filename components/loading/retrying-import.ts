import { reportError } from "@/events/core/error-report";
import { askRelease, partMissing } from "./release";

const pause = 3_000;
/**
 * After `doubtAfter` failures, a part counts as missing although the server has this page's build.
 * The build is requested again every `askEvery` failures.
 */
const doubtAfter = 3;
const askEvery = 10;

/**
 * Imports code and retries until the import succeeds. A necessary part must survive a short loss of
 * the network.
 */
export async function importWithRetry<T>(fetch: () => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      return await fetch();
    } catch (error) {
      reportError(error, { during: "loading a chunk of the page", kind: "tolerated" });
      if (failures % askEvery === 1 || failures === doubtAfter) {
        // A replaced build never has the part: subscribers of the release handle that.
        const answering = await askRelease();
        if (answering === "same" && failures >= doubtAfter) partMissing();
      }
      // The retry requests the same URL, immediately when the network returns.
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
