import { useSyncExternalStore } from "react";

/** Whether this browser runs where ⌘ takes the place of Ctrl; only in a browser. */
export function isApple(): boolean {
  return /mac|iphone|ipad|ipod/i.test(navigator.platform);
}

const never = () => () => {};

/** The same for what is rendered; not in the server's HTML, which cannot know. */
export function useApple(): boolean {
  return useSyncExternalStore(never, isApple, () => false);
}
