import { backoff } from "@/events/core/backoff";
import { systemClock, systemRandom } from "@/events/core/clock";
import { tolerate } from "@/events/core/error-report";
import { retried } from "@/events/core/retried";
import { writeCopy, readCopy } from "@/events/device/copies";
import type { CopyKey } from "@/events/device/copies";
import { withDeadline } from "@/events/device/deadline";
import type { DocumentState, WholeState } from "@/events/crdt/validation/document-state";
import { joinBeside } from "@/events/worker/joined-state";
import { pageCopies } from "@/events/worker/page-copies";
import type { LiveDocument } from "@/machines/sync/live-document";
import { idle } from "@/components/loading/after-critical";
import { cachePage, renewPage } from "@/components/session/device-pages";
import { cacheOwner } from "@/components/session/cached-page";

/** The idle time before a copy is renewed, and the longest wait for that idle time, in ms. */
const rest = 3_000;
const longestWait = 15_000;

/** The delays before a failed copy is retried, in ms. */
const retrying = { first: rest, longest: 300_000 };

/** How long a page waits for its worker before it joins the copy itself, in ms. */
const workerPatience = 20_000;

/** Returns the newer of the state in the page and the cached state. */
export async function newestOf(key: CopyKey, brought: DocumentState): Promise<DocumentState> {
  // If storage fails, the page's state is used.
  const cached = await readCopy(key).catch(tolerate("reading the copy of a document"));
  return cached && cached.version > brought.version ? cached : brought;
}

/** Joins parts into one state in a worker. Returns null if no worker is available. */
type Join = (parts: DocumentState) => Promise<Uint8Array | null>;

/**
 * Caches an open document on this device, up to the version that the log has, for use without a
 * network. Returns the function that ends the caching. That function stores a last copy once
 * `closed` resolves, because until then the log may still record the last edits. While the page is
 * visible, a worker joins the state, which takes longer than a frame for a long document. A hidden
 * page may end before a worker answers, so it joins the state itself.
 */
export function cacheOnDevice(
  live: LiveDocument,
  key: CopyKey,
  join: Join = (parts) => joinBeside(parts, pageCopies),
): (closed?: Promise<void>) => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest: ReturnType<typeof setTimeout> | undefined;
  let cachedVersion = -1;
  let writes = 0;
  let failures = 0;
  let joining: Promise<void> | null = null;
  let ended = false;
  let isLeft = false;
  let attempts = 0;
  let isUnanswered = false;
  // Nothing is cached after a sign-out in any tab, or for a reader who has lost access.
  const mayCache = () =>
    cacheOwner() === key.userId && live.sync.getSnapshot().value.access !== "none";
  const isDue = () => live.version !== cachedVersion && mayCache();
  const write = async (copy: WholeState) => {
    writes += 1;
    cachedVersion = copy.version;
    try {
      if (isLeft) {
        // The document may have been opened again meanwhile and cached at a newer version.
        const kept = await readCopy(key);
        if ((kept && kept.version >= copy.version) || !mayCache()) return;
      }
      await writeCopy(key, copy);
      failures = 0;
    } catch (error) {
      // Without room the old copy stays. Only a page that is opened offline shows its age.
      tolerate("keeping the copy of a document")(error);
      cachedVersion = -1;
      failures += 1;
      if (!ended) soon(backoff(systemRandom, failures, retrying));
    }
  };
  const joinInTime = async (parts: DocumentState): Promise<Uint8Array | null> => {
    // A stalled worker must not collect further messages.
    if (isUnanswered) return null;
    isUnanswered = true;
    const answer = join(parts).finally(() => (isUnanswered = false));
    const waited = withDeadline(systemClock, answer, workerPatience);
    return (await waited.catch(tolerate("waiting for the copy of a document"))) ?? null;
  };
  const joinParts = async (): Promise<void> => {
    const before = writes;
    const parts = live.parts();
    const state = parts && (await joinInTime(parts));
    if (state === null) await idle();
    // The copy that the page wrote while hidden is at least as new.
    if (writes !== before || !isDue()) return;
    const copy = parts && state ? live.joined(parts, state) : live.confirmed();
    if (copy !== null) return write(copy);
    if (ended) return joinParts();
    soon();
  };
  const stopWaiting = () => {
    clearTimeout(timer);
    clearTimeout(latest);
    timer = latest = undefined;
  };
  const cache = () => {
    stopWaiting();
    if (joining !== null) soon();
    else if (isDue()) joining = joinParts().finally(() => (joining = null));
  };
  const soon = (delay = rest) => {
    clearTimeout(timer);
    timer = setTimeout(cache, delay);
  };
  const cacheAtOnce = () => {
    stopWaiting();
    if (isDue()) void write(live.confirmed());
  };
  const visible = () => (document.visibilityState === "visible" ? cache() : cacheAtOnce());
  // After a log rollback, the cached page may contain content that must not be read any more.
  const stops = [
    live.onAdvanced(() => {
      soon();
      latest ??= setTimeout(cache, longestWait);
    }),
    live.onReplaced(() => void renewPage()),
    retried({
      clock: systemClock,
      random: systemRandom,
      work: () => cachePage(key.userId, attempts++ > 0).then(() => true),
      done: () => soon(),
      failed: tolerate("keeping a page"),
      delays: retrying,
    }),
  ];
  document.addEventListener("visibilitychange", visible);
  addEventListener("pagehide", cacheAtOnce);
  const cacheLast = async () => {
    await joining;
    cache();
    await joining;
  };
  return async (closed) => {
    ended = true;
    for (const stop of stops) stop();
    document.removeEventListener("visibilitychange", visible);
    await cacheLast();
    isLeft = true;
    await closed;
    await cacheLast();
    removeEventListener("pagehide", cacheAtOnce);
  };
}
