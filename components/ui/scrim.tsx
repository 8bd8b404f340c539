"use client";

import * as Radix from "@radix-ui/react-dialog";
import { useEffect } from "react";
import type { ComponentProps } from "react";

let shown = 0;

/**
 * Renders the overlay between a modal layer and the page, which blocks the pointer. Radix also
 * disables pointer events on the whole page, which would recompute all of its styles.
 * app/globals.css prevents that.
 */
export function Scrim(props: ComponentProps<typeof Radix.Overlay>) {
  useEffect(() => {
    shown += 1;
    document.body.dataset.scrim = "";
    // Runs together with the layer's own effects, so no style is computed in between.
    return () => {
      shown -= 1;
      if (shown === 0) delete document.body.dataset.scrim;
    };
  }, []);
  return <Radix.Overlay {...props} />;
}
