const listeners = new Set<(file: string) => void>();

/** Subscribes to files that the log has recorded. Returns the unsubscribe function. */
export function onFileArrival(listener: (file: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Notifies subscribers that the log has recorded a file. */
export function tellFileArrival(file: string): void {
  for (const listener of listeners) listener(file);
}
