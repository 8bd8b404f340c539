import { useSyncExternalStore } from "react";

/** Whether ⌘ replaces Ctrl on this device. Works only in a browser. */
export function isApple(): boolean {
  return /mac|iphone|ipad|ipod/i.test(navigator.platform);
}

const never = () => () => {};

/** Returns `isApple` for rendering. False in the server's HTML, where the device is unknown. */
export function useApple(): boolean {
  return useSyncExternalStore(never, isApple, () => false);
}
