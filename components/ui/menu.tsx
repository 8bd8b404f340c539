"use client";

import { tolerate } from "@/events/core/error-report";
import { cloneElement, lazy, Suspense, useState } from "react";
import type { MenuProps } from "./menu-parts";

const fetchParts = () => import("./menu-parts");
const OpenMenu = lazy(() => fetchParts().then((parts) => ({ default: parts.OpenMenu })));

/** One thing that a menu does. */
export const MenuItem = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuItem })));

/** A menu item that is a link: its child is one anchor or `Link` element. */
export const MenuLink = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuLink })));

/** A line between groups of a menu. */
export const MenuRule = lazy(() => fetchParts().then((parts) => ({ default: parts.MenuRule })));

/** A menu that opens from its trigger, a single button element. Its code comes when somebody reaches for it. */
export function Menu({ trigger, ...menu }: MenuProps) {
  const [opened, setOpened] = useState(false);
  // Without the code there is no menu, and the next click asks for it again.
  const failed = tolerate("fetching a menu");
  const reach = () => void fetchParts().catch(failed);
  const open = () =>
    void fetchParts()
      .then(() => setOpened(true))
      .catch(failed);
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
