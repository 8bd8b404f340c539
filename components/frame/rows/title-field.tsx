"use client";

import { useRef, useState } from "react";
import { longestTitle } from "@/events/core/text/text-lengths";
import { normalizedName } from "@/events/core/text/visible-text";

type Props = {
  title: string;
  className: string | undefined;
  /** Called with the new title and the title from before the typing. Null changes nothing. */
  onDone: (title: string | null, replaces: string) => void;
};

/** Renames a document in place. Enter and blur save, and Escape cancels. */
export function TitleField({ title, className, onDone }: Props) {
  const finished = useRef(false);
  const [replaces] = useState(title);
  const finish = (value: string | null) => {
    if (finished.current) return;
    finished.current = true;
    onDone(value === replaces ? null : value, replaces);
  };
  return (
    <input
      className={className}
      aria-label="New title"
      data-takes-escape
      defaultValue={replaces}
      maxLength={longestTitle}
      autoFocus
      onFocus={(event) => event.target.select()}
      onBlur={(event) => finish(normalizedName(event.target.value))}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") finish(normalizedName(event.currentTarget.value));
        if (event.key === "Escape") finish(null);
      }}
    />
  );
}
