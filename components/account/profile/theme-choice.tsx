"use client";

import { useState } from "react";
import { Segmented } from "@/components/ui/forms/segmented";
import { chooseTheme } from "@/components/ui/screen/theme";
import type { Theme } from "@/components/ui/screen/theme";

const options = [
  { value: "system", label: "Match system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
] as const;

/** Chooses the theme of this browser. */
export function ThemeChoice({ theme }: { theme: Theme }) {
  const [chosen, setChosen] = useState(theme);
  const choose = (next: Theme) => {
    setChosen(next);
    chooseTheme(next);
  };
  return <Segmented label="Theme" value={chosen} onChange={choose} options={options} />;
}
