/**
 * How the server's build compares with this page's. If it was replaced, the page may have to be
 * reloaded before a part can load.
 */
type Release = "current" | "replaced" | "part-missing";
/**
 * Which build the server has: this page's, another one, or an unknown one. A captive portal's login
 * page counts as unknown.
 */
type Answering = "same" | "other" | "nobody";

const own = process.env.PALIMPSEST_BUILD;

let release: Release = "current";
const listeners = new Set<() => void>();

/**
 * Subscribes to the detection of a replaced build or a missing part. Returns the unsubscribe
 * function.
 */
export function onRelease(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const knownRelease = (): Release => release;

/** Reports that a part of the page is missing although the server has the page's own build. */
export function partMissing(): void {
  if (release === "current") become("part-missing");
}

/** Requests the server's build. Subscribers are notified once if it differs from this page's. */
export async function askRelease(): Promise<Answering> {
  const answer = await fetch("/robots.txt", { method: "HEAD", cache: "no-store" }).catch(
    () => null,
  );
  const build = answer?.ok ? answer.headers.get("x-palimpsest-build") : null;
  if (build === null) return "nobody";
  if (build === own) return "same";
  become("replaced");
  return "other";
}

function become(next: Release): void {
  if (release === next) return;
  release = next;
  for (const listener of listeners) listener();
}

const seldom = 10 * 60_000;

/**
 * Requests the build when the network returns, and at intervals when the page becomes visible.
 * Returns the function that stops.
 */
export function watchRelease(now: () => number): () => void {
  let askedAt = now();
  const ask = () => {
    askedAt = now();
    void askRelease();
  };
  const look = () => {
    if (document.visibilityState === "visible" && now() - askedAt >= seldom) ask();
  };
  addEventListener("online", ask);
  document.addEventListener("visibilitychange", look);
  return () => {
    removeEventListener("online", ask);
    document.removeEventListener("visibilitychange", look);
  };
}
