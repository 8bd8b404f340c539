"use client";

import { lazy, Suspense, useSyncExternalStore, type ComponentType, type ReactNode } from "react";
import { importWithRetry } from "./retrying-import";

const never = () => () => {};

/**
 * A component whose code is fetched when it is first shown in a browser, and until it comes: a page
 * must not break because a part of it could not be had. Until then `waiting` stands in its place;
 * in the server's HTML nothing does.
 */
export function onDemand<Props extends object>(
  fetch: () => Promise<ComponentType<Props>>,
  waiting: ReactNode = null,
): ComponentType<Props> {
  const Fetched = lazy(async () => ({ default: await importWithRetry(fetch) }));
  return function OnDemand(props: Props) {
    const inBrowser = useSyncExternalStore(
      never,
      () => true,
      () => false,
    );
    return (
      inBrowser && (
        <Suspense fallback={waiting}>
          <Fetched {...props} />
        </Suspense>
      )
    );
  };
}
