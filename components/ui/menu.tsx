"use client";

import { tolerate } from "@/events/core/error-report";
import { cloneElement, lazy, Suspense, useEffect, useState } from "react";
import { afterCritical } from "@/components/loading/after-critical";
import type { MenuProps } from "./menu-parts";

const fetchParts = () => import("./menu-parts");
const OpenMenu = lazy(() => fetchParts().then((parts) => ({ default: parts.OpenMenu })));

/** Renders an action of a menu. */
export const MenuItem = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuItem })));

/** Renders a menu item that is a link. Its child is one anchor or `Link` element. */
export const MenuLink = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuLink })));

/** Renders a line between groups of a menu. */
export const MenuRule = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuRule })));

type Props = MenuProps & {
  /** Loads the menu's items if their code is separate. */
  fetchItems?: () => Promise<unknown>;
};

/**
 * Renders a menu that opens from its trigger, a single button element. Its code loads once the page
 * can be used, or on earlier interaction with the trigger. Until then, Escape cancels the opening.
 */
export function Menu({ trigger, fetchItems, ...menu }: Props) {
  const [opened, setOpened] = useState(false);
  // If the code does not load, the menu does not open. The next click requests the code again.
  const failed = tolerate("fetching a menu");
  const fetchAll = () => Promise.all([fetchParts(), fetchItems?.()]);
  const reach = () => void fetchAll().catch(failed);
  useEffect(() => {
    void afterCritical().then(fetchParts).catch(tolerate("fetching a menu"));
  }, []);
  const open = () => {
    const waiting = new AbortController();
    addEventListener("keydown", ({ key }) => key === "Escape" && waiting.abort(), {
      capture: true,
      signal: waiting.signal,
    });
    void fetchAll()
      .then(() => {
        if (!waiting.signal.aborted) setOpened(true);
      })
      .catch(failed)
      .finally(() => waiting.abort());
  };
  const closed = cloneElement(trigger, {
    "aria-haspopup": "menu",
    "aria-expanded": false,
    onClick: open,
    onPointerEnter: reach,
    onFocus: reach,
  });
  if (!opened) return closed;
  return (
    <Suspense fallback={closed}>
      <OpenMenu trigger={trigger} {...menu} />
    </Suspense>
  );
}
