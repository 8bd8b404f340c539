'use client'

import { lazy, Suspense, useSyncExternalStore, type ComponentType } from 'react'

const never = () => () => {}

/**
 * A component whose code is fetched when it is first shown in a browser; until then, and in the server's HTML, nothing
 * stands in its place.
 */
export function onDemand<Props extends object>(fetch: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Fetched = lazy(async () => ({ default: await fetch() }))
  return function OnDemand(props: Props) {
    const inBrowser = useSyncExternalStore(never, () => true, () => false)
    return (
      inBrowser && (
        <Suspense fallback={null}>
          <Fetched {...props} />
        </Suspense>
      )
    )
  }
}
