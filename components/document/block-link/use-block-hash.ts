import { useSyncExternalStore } from "react";
import { blockInHash } from "@/events/core/ids/block-key";

function subscribe(listener: () => void): () => void {
  addEventListener("hashchange", listener);
  addEventListener("popstate", listener);
  return () => {
    removeEventListener("hashchange", listener);
    removeEventListener("popstate", listener);
  };
}

const read = () => (blockInHash(location.hash) === null ? null : location.hash);

/** Returns the hash of the page's URL if it names a block, otherwise null. */
export function useBlockHash(): string | null {
  return useSyncExternalStore(subscribe, read, () => null);
}
