"use client";

import { Check, Plus } from "lucide-react";
import { BrandMark } from "@/components/ui/brand-mark";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import styles from "./tree.module.css";

type Props = {
  workspace: { id: string; name: string };
  workspaces: readonly { id: string; name: string }[];
  onCreateWorkspace?: (() => void) | undefined;
};

/** The name of the workspace, which opens the way to the others. */
export function PlaceMenu({ workspace, workspaces, onCreateWorkspace }: Props) {
  const trigger = (
    <button type="button" className={styles.place}>
      <BrandMark />
      <span className={styles.label}>{workspace.name}</span>
      <span className="sr">, switch workspace</span>
    </button>
  );
  return (
    <Menu trigger={trigger} label="Workspaces">
      {workspaces.map(({ id, name }) => (
        <MenuLink key={id}>
          <Link href={`/w/${id}`} aria-current={id === workspace.id ? "true" : undefined}>
            <span className={styles.label}>{name}</span>
            {id === workspace.id && <Icon of={Check} />}
          </Link>
        </MenuLink>
      ))}
      {onCreateWorkspace && (
        <>
          <MenuRule />
          <MenuItem icon={Plus} onSelect={onCreateWorkspace}>
            Create a workspace
          </MenuItem>
        </>
      )}
    </Menu>
  );
}
