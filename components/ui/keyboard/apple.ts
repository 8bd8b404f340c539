import { useSyncExternalStore } from "react";

/** Whether ⌘ takes the place of Ctrl on this device; only in a browser. */
export function isApple(): boolean {
  return /mac|iphone|ipad|ipod/i.test(navigator.platform);
}

const never = () => () => {};

/** The same for rendering; false in the server's HTML, which cannot know. */
export function useApple(): boolean {
  return useSyncExternalStore(never, isApple, () => false);
}
