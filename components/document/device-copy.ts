import { tolerate } from "@/events/core/error-report";
import { type CopyKey, writeCopy, readCopy } from "@/events/device/copies";
import type { DocumentState } from "@/events/crdt/validation/document-state";
import type { LiveDocument } from "@/machines/sync/live-document";
import { cachePage, renewPage } from "@/components/session/device-pages";
import { cacheOwner } from "@/components/session/cached-page";

const rest = 3_000;

/** The newer of what a page brought and what the device keeps. */
export async function newestOf(key: CopyKey, brought: DocumentState): Promise<DocumentState> {
  // A browser that keeps nothing leaves what the page brought.
  const cached = await readCopy(key).catch(tolerate("reading the copy of a document"));
  return cached && cached.version > brought.version ? cached : brought;
}

/**
 * Keeps an open document on this device as far as the log has it, for when there is no network;
 * gives the function that ends it.
 */
export function cacheOnDevice(live: LiveDocument, key: CopyKey): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cachedVersion = -1;
  const cacheNow = () => {
    clearTimeout(timer);
    timer = undefined;
    // Who has signed out, also in another tab, or may not read it any more, has nothing kept.
    if (
      live.version === cachedVersion ||
      cacheOwner() !== key.userId ||
      live.sync.getSnapshot().value.access === "none"
    )
      return;
    cachedVersion = live.version;
    // Without room there is no copy: one reads on, and only a page that is opened without a network is older.
    writeCopy(key, live.confirmed()).catch((error: unknown) => {
      cachedVersion = -1;
      tolerate("keeping the copy of a document")(error);
    });
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(cacheNow, rest);
  };
  // What a page was rendered with may hold what is not to be read any more.
  const stops = [live.onRows(soon), live.onReplaced(() => void renewPage())];
  document.addEventListener("visibilitychange", cacheNow);
  addEventListener("pagehide", cacheNow);
  void cachePage(key.userId).then(soon, tolerate("keeping a page"));
  return () => {
    if (timer !== undefined) cacheNow();
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", cacheNow);
    removeEventListener("pagehide", cacheNow);
  };
}
