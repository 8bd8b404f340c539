"use client";

import { useSyncExternalStore } from "react";
import { dateFormat } from "./date-format";

const never = () => () => {};

const style: Intl.DateTimeFormatOptions = {
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
};

/** Shows a time in the reader's time zone. The server does not know it and renders labelled UTC. */
export function LocalTime({
  iso,
  options = style,
}: {
  iso: string;
  options?: Intl.DateTimeFormatOptions;
}) {
  const here = useSyncExternalStore(
    never,
    () => dateFormat("en-GB", options).format(new Date(iso)),
    () => `${dateFormat("en-GB", { ...options, timeZone: "UTC" }).format(new Date(iso))} UTC`,
  );
  return <time dateTime={iso}>{here}</time>;
}
