const savers = new Set<() => void>();
const senders = new Set<() => void>();

function register(listeners: Set<() => void>, listener: () => void): () => void {
  // One listener of the window's for all of them: browsers call its own in the order in which they came.
  addEventListener("pagehide", end);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (savers.size + senders.size === 0) removeEventListener("pagehide", end);
  };
}

function end(): void {
  for (const save of [...savers]) save();
  // What was saved just now has its sender here by now.
  for (const send of [...senders]) send();
}

/** Calls the listener as a page is left or closed, before what it saves is sent; returns the function that ends it. */
export const beforePageEnds = (save: () => void): (() => void) => register(savers, save);

/** Calls the listener in the last turn of a page that is left or closed; returns the function that ends it. */
export const onPageEnd = (send: () => void): (() => void) => register(senders, send);
