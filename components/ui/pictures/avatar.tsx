"use client";

import { useState } from "react";
import { classNames } from "../class-names";
import { initials } from "./initials";
import { personClass } from "./palette";
import styles from "./avatar.module.css";

type Props = {
  name: string;
  color: number;
  /** The URL of the person's picture, if there is one. */
  picture?: string | null | undefined;
  /** `mini` is a colour key and never shows a picture. */
  size?: "mini" | "small" | "medium" | "large" | "profile";
  idle?: boolean;
  /** Whether the avatar has an accessible name, for places that do not show the name as text. */
  labelled?: boolean;
};

/** Shows a person's picture, or their initials on their colour. Decorative unless `labelled`. */
export function Avatar({
  name,
  color,
  picture = null,
  size = "medium",
  idle = false,
  labelled = false,
}: Props) {
  const letters = initials(name);
  // If a picture fails to load, for example offline, the initials are shown.
  const [missing, setMissing] = useState<string | null>(null);
  const shown = size === "mini" || picture === missing ? null : picture;
  return (
    <span
      className={classNames(styles.avatar, styles[size], personClass(color), idle && styles.idle)}
      // As an attribute, because a letter as text would be a visible word that the accessible name
      // lacks.
      data-letter={size === "mini" ? Array.from(letters)[0] : undefined}
      {...(labelled ? { role: "img", "aria-label": name } : { "aria-hidden": true })}
    >
      {size === "mini" ? null : letters}
      {shown !== null && (
        <img
          className={styles.picture}
          src={shown}
          alt=""
          draggable={false}
          decoding="async"
          onError={() => setMissing(shown)}
        />
      )}
    </span>
  );
}
