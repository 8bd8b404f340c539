"use client";

import { Check, Plus } from "lucide-react";
import { BrandMark } from "@/components/ui/brand-mark";
import { Icon } from "@/components/ui/icon";
import { Link } from "@/components/ui/link";
import { Menu, MenuItem, MenuLink, MenuRule } from "@/components/ui/menu";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import styles from "./tree.module.css";

type Props = { onCreateWorkspace?: (() => void) | undefined };

/** The name of the workspace, which opens the way to the others. */
export function PlaceMenu({ onCreateWorkspace }: Props) {
  const { id: here, name: called, workspaces } = useWorkspace("id", "name", "workspaces");
  const trigger = (
    <button type="button" className={styles.place}>
      <BrandMark />
      <span className={styles.label}>{called}</span>
      <span className="sr">, switch workspace</span>
    </button>
  );
  return (
    <Menu trigger={trigger} label="Workspaces">
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
    </Menu>
  );
}
