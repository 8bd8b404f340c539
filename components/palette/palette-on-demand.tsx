"use client";

import { useEffect } from "react";
import { useCommands } from "@/components/commands/command-handlers";
import { setLayer } from "@/components/commands/open-layer";
import { afterCritical } from "@/components/loading/after-critical";
import { onDemand } from "@/components/loading/on-demand";
import { useWorkspace } from "@/components/workspace-state/workspace-context";
import { rememberDocument } from "./recent-documents";

const Layer = onDemand(() =>
  afterCritical()
    .then(() => import("./palette-layer"))
    .then((module) => module.PaletteLayer),
);

type Props = { /** The document of this page. */ here?: string | null };

/**
 * Renders the palette on the pages of a workspace. Its code loads once the page can be used. Opened
 * documents are remembered from the start. If the shortcut is pressed earlier, the palette opens as
 * soon as its code has loaded.
 */
export function PaletteLayer({ here = null }: Props) {
  const { id, me } = useWorkspace("id", "me");
  const { userId } = me;
  useCommands({ palette: () => setLayer("palette") });
  useEffect(() => {
    if (here !== null) rememberDocument(userId, id, here);
  }, [userId, id, here]);
  return <Layer here={here} />;
}
