"use client";

import { useState } from "react";
import { classNames } from "../class-names";
import { initials } from "./initials";
import { personClass } from "./palette";
import styles from "./avatar.module.css";

type Props = {
  name: string;
  color: number;
  /** The address of the person's picture, for those who have one. */
  picture?: string | null | undefined;
  /** `mini` is the key to a colour: it never shows a picture. */
  size?: "mini" | "small" | "medium" | "large" | "profile";
  idle?: boolean;
  /** Where no text beside it says the name. */
  labelled?: boolean;
};

/** A person as their picture, or as initials on their colour; decoration unless `labelled`. */
export function Avatar({
  name,
  color,
  picture = null,
  size = "medium",
  idle = false,
  labelled = false,
}: Props) {
  const letters = initials(name);
  // One that cannot be had, as without a connection, leaves the initials.
  const [missing, setMissing] = useState<string | null>(null);
  const shown = size === "mini" || picture === missing ? null : picture;
  return (
    <span
      className={classNames(styles.avatar, styles[size], personClass(color), idle && styles.idle)}
      // In a row whose name is given, letters beside its words would count as words that the name lacks.
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
