/**
 * What is known of the server's build and this page's: the page may have to be loaded anew before a
 * part of it can be had.
 */
type Release = "current" | "replaced" | "part-missing";
/** Who answers now: this page's build, another one, or nobody that is known; a login page of a network answers too. */
type Answering = "same" | "other" | "nobody";

const own = process.env.PALIMPSEST_BUILD;

let release: Release = "current";
const listeners = new Set<() => void>();

/** Hears of it when this page turns out to be of an older build, or to lack a part; answers the end of it. */
export function onRelease(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const knownRelease = (): Release => release;

/** Says that a part of the page is missing although its own build answers. */
export function partMissing(): void {
  if (release === "current") become("part-missing");
}

/** Asks the server of which build it is; all who watch are told once when that is not this page's. */
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

/** Asks whenever the network is back, and now and then when the page is looked at again; answers the end of it. */
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
