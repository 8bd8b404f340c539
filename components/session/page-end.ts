/** Calls the listener when the page is left or closed, in its last turn; returns the function that ends it. */
export function onPageEnd(listener: () => void): () => void {
  addEventListener("pagehide", listener);
  return () => removeEventListener("pagehide", listener);
}
