import { reportError } from "@/events/core/error-report";
import { partMissing } from "./release";

/**
 * Reports uncaught errors of the page, which the browser also logs. Returns the unsubscribe
 * function.
 */
export function reportUncaught(page: EventTarget): () => void {
  const thrown = (event: Event) => {
    if (!(event instanceof ErrorEvent)) return;
    // A script of another site reveals only a message and no error object.
    const error: unknown = event.error ?? new Error(event.message);
    reportError(error, { during: "a script of the page", kind: "uncaught" });
  };
  const rejected = (event: Event) => {
    if (!("reason" in event)) return;
    // The code of an action did not load, for example while the server starts.
    if (event.reason instanceof Error && event.reason.name === "ChunkLoadError") partMissing();
    reportError(event.reason, { during: "a promise of the page", kind: "uncaught" });
  };
  page.addEventListener("error", thrown);
  page.addEventListener("unhandledrejection", rejected);
  return () => {
    page.removeEventListener("error", thrown);
    page.removeEventListener("unhandledrejection", rejected);
  };
}
