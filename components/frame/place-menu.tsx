"use client";

import { lazy } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import { BrandMark } from "@/components/ui/pictures/brand-mark";
import { Menu } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import type { PlaceProps } from "./place-items";
import styles from "./tree.module.css";

const PlaceItems = lazy(() =>
  importWithRetry(() => import("./place-items")).then((module) => ({
    default: module.PlaceItems,
  })),
);

/**
 * Shows the name of the workspace, which opens the menu of workspaces. `named` is false if a title
 * above already shows the name.
 */
export function PlaceMenu({ named = true, ...props }: PlaceProps & { named?: boolean }) {
  const { name } = useWorkspace("name");
  const trigger = (
    <button type="button" className={styles.place}>
      <BrandMark />
      <span className={styles.label}>{named ? name : "Switch workspace"}</span>
      {named && <span className="sr">, switch workspace</span>}
    </button>
  );
  return (
    <Menu trigger={trigger} label="Workspaces">
      <PlaceItems {...props} />
    </Menu>
  );
}
