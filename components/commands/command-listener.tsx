"use client";

import { useEffect } from "react";
import { isApple } from "@/components/ui/keyboard/apple";
import { isPressed } from "@/components/ui/keyboard/keys";
import { toggleTheme } from "@/components/ui/screen/theme";
import { onDemand } from "@/components/loading/on-demand";
import { handlerOf, useCommands } from "./command-handlers";
import { commandKeys } from "./command-keys";
import type { KeyedCommand } from "./command-keys";
import { setLayer, useLayer } from "./open-layer";

const ShortcutsDialog = onDemand(() =>
  import("./shortcuts-dialog").then((module) => module.ShortcutsDialog),
);

const fields = "input, textarea, select, [contenteditable=true], [role=textbox], [role=combobox]";
const layers = "[role=dialog][data-state=open], [role=menu][data-state=open]";

const isKeyed = (id: string): id is KeyedCommand => id in commandKeys;

/** Returns the command of a key press if the command is available where the key was pressed. */
function pressedCommand(event: KeyboardEvent): KeyedCommand | undefined {
  const apple = isApple();
  const inField = event.target instanceof Element && event.target.closest(fields) !== null;
  const ids = Object.keys(commandKeys).filter(isKeyed);
  return ids.find((id) =>
    commandKeys[id].some(
      (keys) => isPressed(keys, event, apple) && (keys.includes("Mod") || !inField),
    ),
  );
}

/**
 * Listens for the shortcuts of commands on every page, once the text can be written, and shows the
 * list of shortcuts.
 */
export function CommandListener() {
  const layer = useLayer();
  useCommands({ theme: toggleTheme, shortcuts: () => setLayer("shortcuts") });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat) return;
      const id = pressedCommand(event);
      const run = id && handlerOf(id);
      if (!run) return;
      // Prevents the browser's own action even if an open layer blocks the command.
      event.preventDefault();
      if (id === "theme" || document.querySelector(layers) === null) run();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
  return layer === "shortcuts" && <ShortcutsDialog onClose={() => setLayer(null)} />;
}
