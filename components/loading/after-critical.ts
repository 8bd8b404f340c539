/** The longest time in ms for which critical work delays the rest of a page. */
const longest = 8_000;

let first = 0;
const waiting = new Set<() => void>();

/**
 * Defers after-critical work until the returned function is called. A page calls the function once
 * it can be used.
 */
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

/** Resolves once the page is shown and the critical work is done. Works only in a browser. */
export async function afterCritical(): Promise<void> {
  if (document.readyState !== "complete")
    await new Promise((loaded) => addEventListener("load", loaded, { once: true }));
  await idle();
  // On a slow machine, `load` fires before the page's code can register critical work.
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

/** Resolves on the first key, touch or click in the page. Works only in a browser. */
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

/** Resolves when the page is idle, or after half a second. Works only in a browser. */
export function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ("requestIdleCallback" in window) requestIdleCallback(() => resolve(), { timeout: 500 });
    else setTimeout(resolve, 50);
  });
}
