"use client";

import { lazy } from "react";
import { importWithRetry } from "@/components/loading/retrying-import";
import { Avatar } from "@/components/ui/pictures/avatar";
import { Menu } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./tree.module.css";

const AccountItems = lazy(() =>
  importWithRetry(() => import("./account-items")).then((module) => ({
    default: module.AccountItems,
  })),
);

/** Shows the reader's name as a button that opens the menu: account, theme and sign-out. */
export function AccountMenu() {
  const { me } = useWorkspace("me");
  const trigger = (
    <button type="button" className={styles.row}>
      <Avatar name={me.name} color={me.color} picture={me.picture} size="small" />
      <span className={`${styles.label} ${styles.me}`}>{me.name}</span>
      <span className="sr">, your account</span>
    </button>
  );
  return (
    <Menu trigger={trigger} label="Your account">
      <AccountItems />
    </Menu>
  );
}
