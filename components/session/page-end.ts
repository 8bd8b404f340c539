const savers = new Set<() => void>();
const senders = new Set<() => void>();

function register(listeners: Set<() => void>, listener: () => void): () => void {
  // One window listener serves both sets. Browsers call listeners in the order of registration, so
  // two listeners could run senders before savers.
  addEventListener("pagehide", end);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (savers.size + senders.size === 0) removeEventListener("pagehide", end);
  };
}

function end(): void {
  for (const save of [...savers]) save();
  // Savers may have registered new senders.
  for (const send of [...senders]) send();
}

/**
 * Registers a pagehide listener that runs before saved data is sent. Returns the function that
 * removes the listener.
 */
export const beforePageEnds = (save: () => void): (() => void) => register(savers, save);

/** Registers a pagehide listener that sends saved data. Returns the function that removes it. */
export const onPageEnd = (send: () => void): (() => void) => register(senders, send);
