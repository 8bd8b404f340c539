/** Nothing keeps the rest of a page waiting for longer than this. */
const longest = 8_000;

let first = 0;
const waiting = new Set<() => void>();

/** Lets what can wait be fetched later: until the answer is called, which a page does once it can be used. */
export function comeFirst(): () => void {
  let done = false;
  const release = () => {
    if (done) return;
    done = true;
    clearTimeout(timer);
    first -= 1;
    if (first === 0) for (const go of waiting) go();
  };
  first += 1;
  const timer = setTimeout(release, longest);
  return release;
}

/** Resolves once the page is loaded and shown, and whatever comes first is there; only in a browser. */
export async function afterCritical(): Promise<void> {
  if (document.readyState !== "complete")
    await new Promise((loaded) => addEventListener("load", loaded, { once: true }));
  await idle();
  // On a slow machine the page is loaded before its own code has run and could say that it comes first.
  const since = performance.now();
  while (
    first === 0 &&
    document.querySelector("[data-first-thing]:not([contenteditable])") !== null &&
    performance.now() - since < longest
  )
    await idle();
  while (first > 0) {
    await new Promise<void>((resolve) => {
      const go = () => {
        waiting.delete(go);
        resolve();
      };
      waiting.add(go);
    });
  }
}

/** Resolves with the first key, touch or click in the page; only in a browser. */
export function firstTouch(): Promise<void> {
  const kinds = ["pointerdown", "keydown", "input"] as const;
  return new Promise((resolve) => {
    const touched = () => {
      for (const kind of kinds) removeEventListener(kind, touched, true);
      resolve();
    };
    for (const kind of kinds) addEventListener(kind, touched, true);
  });
}

/** Resolves once the page has nothing else to do, or half a second later; only in a browser. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });
}
