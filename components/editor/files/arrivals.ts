const listeners = new Set<(file: string) => void>();

/** Hears that the log has the file of some image or block. */
export function onFileArrival(listener: (file: string) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells that the log has a file. */
export function tellFileArrival(file: string): void {
  for (const listener of listeners) listener(file);
}
