"use client";

import { useCallback, useState } from "react";
import { steadyStorage } from "@/events/device/steady-storage";

/** What of the writing wears its author's colour: what is of the session that is shown, everything, or nothing. */
export type Colour = "session" | "all" | "off";

export const colours = [
  { value: "session", label: "Last session" },
  { value: "all", label: "All authors" },
  { value: "off", label: "Off" },
] as const satisfies readonly { value: Colour; label: string }[];

const storage = steadyStorage(() => localStorage);
const keyOf = (userId: string) => `palimpsest-colour:${userId}`;

/** The next choice, and after the last one the first. */
export function nextColour(colour: Colour): Colour {
  const at = colours.findIndex(({ value }) => value === colour);
  return colours[(at + 1) % colours.length]?.value ?? "session";
}

/** What a person has coloured on this device; only in a browser. */
export function useColour(userId: string): [Colour, (colour: Colour) => void] {
  const [colour, setColour] = useState<Colour>(() => {
    const kept = storage.getItem(keyOf(userId));
    return colours.find(({ value }) => value === kept)?.value ?? "session";
  });
  const choose = useCallback(
    (next: Colour) => {
      storage.setItem(keyOf(userId), next);
      setColour(next);
    },
    [userId],
  );
  return [colour, choose];
}
