"use client";

import { LogOut, SunMoon, UserRound } from "lucide-react";
import { useTab } from "@/components/session/backend-provider";
import { Avatar } from "@/components/ui/avatar";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { toggleTheme } from "@/components/ui/theme";
import { useToast } from "@/components/ui/toast";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./tree.module.css";

/** The reader's own name, which opens their account, the theme and the way out. */
export function AccountMenu() {
  const { me } = useWorkspace("me");
  const { open } = useTab();
  const toast = useToast();
  const leave = async () => {
    const { signOut } = await import("@/components/session/tab");
    const refusal = await signOut(await open(), "local");
    if (refusal)
      toast({ text: "You could not be signed out. You are still signed in; try again." });
  };
  const trigger = (
    <button type="button" className={styles.row}>
      <Avatar name={me.name} color={me.color} size="small" />
      <span className={`${styles.label} ${styles.me}`}>{me.name}</span>
      <span className="sr">, your account</span>
    </button>
  );
  return (
    <Menu trigger={trigger} label="Your account">
      <MenuLink>
        <Link href="/account">
          <Icon of={UserRound} />
          <span className={styles.label}>Account</span>
        </Link>
      </MenuLink>
      <MenuItem icon={SunMoon} shortcut="Ctrl Shift L" onSelect={toggleTheme}>
        Light or dark
      </MenuItem>
      <MenuRule />
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
