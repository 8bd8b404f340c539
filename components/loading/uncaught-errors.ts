import { reportError } from "@/events/core/error-report";
import { partMissing } from "./release";

/** Reports what no script of the page catches; the browser prints it all the same. Returns an unsubscribe function. */
export function reportUncaught(page: EventTarget): () => void {
  const thrown = (event: Event) => {
    if (!(event instanceof ErrorEvent)) return;
    // A script of another site tells no more than a message.
    const error: unknown = event.error ?? new Error(event.message);
    reportError(error, { during: "a script of the page", kind: "uncaught" });
  };
  const rejected = (event: Event) => {
    if (!("reason" in event)) return;
    // What was asked of the page could not be done: its code did not come, as while the server comes up.
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
