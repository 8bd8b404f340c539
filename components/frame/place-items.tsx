"use client";

import { Check, Plus } from "lucide-react";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./tree.module.css";

export type PlaceProps = { onCreateWorkspace?: (() => void) | undefined };

/** Renders the workspaces in the workspace menu, which load when the menu opens. */
export function PlaceItems({ onCreateWorkspace }: PlaceProps) {
  const { id: here, workspaces } = useWorkspace("id", "workspaces");
  return (
    <>
      {workspaces.map(({ id, name }) => (
        <MenuLink key={id}>
          <Link href={`/w/${id}`} aria-current={id === here ? "true" : undefined}>
            <span className={styles.label}>{name}</span>
            {id === here && <Icon of={Check} />}
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
    </>
  );
}
