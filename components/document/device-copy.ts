import { backoff } from "@/events/core/backoff";
import { systemClock, systemRandom } from "@/events/core/clock";
import { tolerate } from "@/events/core/error-report";
import { retried } from "@/events/core/retried";
import { type CopyKey, writeCopy, readCopy } from "@/events/device/copies";
import { withDeadline } from "@/events/device/deadline";
import type { DocumentState, WholeState } from "@/events/crdt/validation/document-state";
import { joinBeside } from "@/events/worker/joined-state";
import { pageCopies } from "@/events/worker/page-copies";
import type { LiveDocument } from "@/machines/sync/live-document";
import { idle } from "@/components/loading/after-critical";
import { cachePage, renewPage } from "@/components/session/device-pages";
import { cacheOwner } from "@/components/session/cached-page";

/** Milliseconds of rest before a copy is renewed, and for how many at most they are waited for. */
const rest = 3_000;
const longestWait = 15_000;

/** Milliseconds after which what the device or the network refused is tried again. */
const retrying = { first: rest, longest: 300_000 };

/** Milliseconds that a page waits for its worker before it makes a copy itself. */
const workerPatience = 20_000;

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
 * ends it, which settles once the last copy is kept: the one of when `closed` resolves, for until then the log may take
 * what was written last. While somebody may look at the page its whole state is made beside it, for in a long document
 * that takes longer than a frame. A page that is hidden may not be there any more when a worker answers, and makes it
 * itself.
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
  // Who has signed out, also in another tab, or may not read it any more, has nothing kept.
  const mayCache = () =>
    cacheOwner() === key.userId && live.sync.getSnapshot().value.access !== "none";
  const isDue = () => live.version !== cachedVersion && mayCache();
  const write = async (copy: WholeState) => {
    writes += 1;
    cachedVersion = copy.version;
    try {
      if (isLeft) {
        // Somebody may have come back to it meanwhile, and that page has read on.
        const kept = await readCopy(key);
        if ((kept && kept.version >= copy.version) || !mayCache()) return;
      }
      await writeCopy(key, copy);
      failures = 0;
    } catch (error) {
      // Without room there is no copy: one reads on, and only a page that is opened without a network is older.
      tolerate("keeping the copy of a document")(error);
      cachedVersion = -1;
      failures += 1;
      if (!ended) soon(backoff(systemRandom, failures, retrying));
    }
  };
  const joinInTime = async (parts: DocumentState): Promise<Uint8Array | null> => {
    // What a worker that stands still is sent would only pile up there.
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
    // The page was hidden meanwhile, and what it wrote then is no older.
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
  // What a page was rendered with may hold what is not to be read any more.
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
