"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import type { ComponentType, ReactNode } from "react";
import { importWithRetry } from "./retrying-import";

const never = () => () => {};

/**
 * A component whose code is fetched when it first renders in a browser, and retried until it loads:
 * a missing part must not break the page. Until then `waiting` renders in its place; the server's
 * HTML has nothing there.
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
