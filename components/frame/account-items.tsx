"use client";

import { LogOut, SunMoon, UserRound } from "lucide-react";
import { commandKeys } from "@/components/commands/command-keys";
import { useTab } from "@/components/session/backend-provider";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { toggleTheme } from "@/components/ui/screen/theme";
import { useToast } from "@/components/ui/toast";
import styles from "./tree.module.css";

/** Renders the contents of the account menu, which load when the menu opens. */
export function AccountItems() {
  const { open } = useTab();
  const toast = useToast();
  const leave = async () => {
    const { askToSignOut } = await import("@/components/session/sign-out/sign-out");
    const refusal = await askToSignOut(await open(), "local");
    if (refusal) toast({ text: "You couldn’t be signed out. You are still signed in; try again." });
  };
  return (
    <>
      <MenuLink>
        <Link href="/account">
          <Icon of={UserRound} />
          <span className={styles.label}>Account</span>
        </Link>
      </MenuLink>
      <MenuItem icon={SunMoon} shortcut={commandKeys.theme[0]} onSelect={toggleTheme}>
        Switch theme
      </MenuItem>
      <MenuRule />
      <MenuItem icon={LogOut} onSelect={() => void leave()}>
        Sign out
      </MenuItem>
    </>
  );
}
