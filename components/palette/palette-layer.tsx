"use client";

import { setLayer, useLayer } from "@/components/commands/open-layer";
import { Palette } from "./palette";

type Props = { /** The document of this page. */ here: string | null };

/** Renders the palette while it is open. */
export function PaletteLayer({ here }: Props) {
  return useLayer() === "palette" && <Palette here={here} onClose={() => setLayer(null)} />;
}
