import { tolerate } from "@/events/core/error-report";
import { type CopyKey, writeCopy, readCopy } from "@/events/device/copies";
import type { DocumentState, WholeState } from "@/events/crdt/validation/document-state";
import { joinBeside } from "@/events/worker/joined-state";
import { pageCopies } from "@/events/worker/page-copies";
import type { LiveDocument } from "@/machines/sync/live-document";
import { idle } from "@/components/loading/after-critical";
import { cachePage, renewPage } from "@/components/session/device-pages";
import { cacheOwner } from "@/components/session/cached-page";

const rest = 3_000;

/** The newer of what a page brought and what the device keeps. */
export async function newestOf(key: CopyKey, brought: DocumentState): Promise<DocumentState> {
  // A browser that keeps nothing leaves what the page brought.
  const cached = await readCopy(key).catch(tolerate("reading the copy of a document"));
  return cached && cached.version > brought.version ? cached : brought;
}

/** Makes of parts one state beside the page; null where nothing works there. */
type Join = (parts: DocumentState) => Promise<Uint8Array | null>;

/**
 * Keeps an open document on this device as far as the log has it, for when there is no network; gives the function that
 * ends it. While somebody may look at the page its whole state is made beside it, for in a long document that takes
 * longer than a frame. A page that is hidden may not be there any more when a worker answers, and makes it itself.
 */
export function cacheOnDevice(
  live: LiveDocument,
  key: CopyKey,
  join: Join = (parts) => joinBeside(parts, pageCopies),
): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cachedVersion = -1;
  let writes = 0;
  let joining: Promise<void> | null = null;
  let ended = false;
  // Who has signed out, also in another tab, or may not read it any more, has nothing kept.
  const mayCache = () =>
    cacheOwner() === key.userId && live.sync.getSnapshot().value.access !== "none";
  const isDue = () => live.version !== cachedVersion && mayCache();
  const write = async (copy: WholeState) => {
    writes += 1;
    cachedVersion = copy.version;
    // Without room there is no copy: one reads on, and only a page that is opened without a network is older.
    await writeCopy(key, copy).catch((error: unknown) => {
      cachedVersion = -1;
      tolerate("keeping the copy of a document")(error);
    });
  };
  const joinParts = async (): Promise<void> => {
    const before = writes;
    const parts = live.parts();
    const state = parts && (await join(parts));
    if (state === null) await idle();
    // The page was hidden meanwhile, and what it wrote then is no older.
    if (writes !== before || !isDue()) return;
    const copy = parts && state ? live.joined(parts, state) : live.confirmed();
    if (copy !== null) return write(copy);
    if (ended) return joinParts();
    soon();
  };
  const cache = () => {
    clearTimeout(timer);
    timer = undefined;
    if (joining !== null) soon();
    else if (isDue()) joining = joinParts().finally(() => (joining = null));
  };
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(cache, rest);
  };
  const cacheAtOnce = () => {
    clearTimeout(timer);
    timer = undefined;
    if (isDue()) void write(live.confirmed());
  };
  const visible = () => (document.visibilityState === "visible" ? cache() : cacheAtOnce());
  // What a page was rendered with may hold what is not to be read any more.
  const stops = [live.onRows(soon), live.onReplaced(() => void renewPage())];
  document.addEventListener("visibilitychange", visible);
  addEventListener("pagehide", cacheAtOnce);
  void cachePage(key.userId).then(soon, tolerate("keeping a page"));
  return () => {
    ended = true;
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", visible);
    const finish = async () => {
      await joining;
      cache();
      await joining;
      removeEventListener("pagehide", cacheAtOnce);
    };
    void finish();
  };
}
