"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ComponentType, ReactNode } from "react";
import { importWithRetry } from "./retrying-import";

const never = () => () => {};

/**
 * Creates a component whose code is fetched when it first renders in a browser. The import is
 * retried until it succeeds, because a missing part must not break the page. Until then `waiting`
 * is rendered. The server's HTML contains nothing in its place.
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
