"use client";

import { useCallback, useState } from "react";
import { steadyStorage } from "@/events/device/steady-storage";

/** Which text is coloured by author: the text of the shown session, all text, or none. */
export type Colour = "session" | "all" | "off";

export const colours = [
  { value: "session", label: "Last session" },
  { value: "all", label: "All authors" },
  { value: "off", label: "Off" },
] as const satisfies readonly { value: Colour; label: string }[];

const storage = steadyStorage(() => localStorage);
const keyOf = (userId: string) => `palimpsest-colour:${userId}`;

/** Returns the next choice. The first follows the last. */
export function nextColour(colour: Colour): Colour {
  const at = colours.findIndex(({ value }) => value === colour);
  return colours[(at + 1) % colours.length]?.value ?? "session";
}

/** Returns a person's choice of colours on this device, and its setter. Works only in a browser. */
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
