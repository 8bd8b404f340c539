"use client";

import { Columns2, Pencil, Pin } from "lucide-react";
import { useState } from "react";
import type { FormEvent } from "react";
import { longestVersionName } from "@/events/core/text/text-lengths";
import type { VersionRow } from "@/events/read-models/version-rows";
import { normalizedName } from "@/events/core/text/visible-text";
import { Button } from "@/components/ui/button";
import { Icon } from "@/components/ui/icon";
import { LocalTime } from "@/components/ui/time/local-time";
import styles from "./version.module.css";

type Props = {
  version: VersionRow;
  /** The name of the person who named the version. */
  by: string;
  mayChange: boolean;
  onOpen: () => void;
  onCompare: () => void;
  onRename: (name: string) => void;
  onPin: () => void;
};

/** Shows one named version. Its name is a link to the version. */
export function VersionItem({ version, by, mayChange, onOpen, onCompare, onRename, onPin }: Props) {
  const [text, setText] = useState<string | null>(null);
  const { name, pinned } = version;
  const save = (event: FormEvent) => {
    event.preventDefault();
    const newName = normalizedName(text ?? "");
    if (newName !== "" && newName !== name) onRename(newName);
    setText(null);
  };
  if (text !== null) {
    return (
      <li>
        <form className={styles.rename} onSubmit={save}>
          <input
            aria-label={`New name of ${name}`}
            value={text}
            maxLength={longestVersionName}
            autoFocus
            onChange={(event) => setText(event.target.value)}
            data-takes-escape
            onKeyDown={(event) => {
              if (event.key === "Escape") setText(null);
            }}
          />
          <Button look="edge" type="submit">
            Save
          </Button>
        </form>
      </li>
    );
  }
  return (
    <li className={styles.item}>
      <button type="button" className={styles.open} onClick={onOpen}>
        <b>{name}</b>
        <small>
          {by}, <LocalTime iso={version.createdAt} />
        </small>
      </button>
      <Button
        look="quiet"
        icon
        aria-label={`Compare ${name} with now`}
        title="Compare with now"
        onClick={onCompare}
      >
        <Icon of={Columns2} />
      </Button>
      {mayChange ? (
        <>
          <Button
            look="quiet"
            icon
            aria-label={`Rename ${name}`}
            title="Rename"
            onClick={() => setText(name)}
          >
            <Icon of={Pencil} />
          </Button>
          <Button
            look="quiet"
            icon
            aria-label={`Pin ${name}`}
            title={pinned ? "Unpin" : "Pin to the top"}
            aria-pressed={pinned}
            className={styles.pin}
            onClick={onPin}
          >
            <Icon of={Pin} />
          </Button>
        </>
      ) : (
        pinned && <Icon of={Pin} />
      )}
    </li>
  );
}
