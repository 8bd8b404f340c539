"use client";

import * as Radix from "@radix-ui/react-dialog";
import { type ComponentProps, useEffect } from "react";

let shown = 0;

/**
 * What lies between a modal layer and the page, and takes the pointer. Radix takes it from all of
 * the page as well, which would compute the styles of all of it anew; app/globals.css keeps it there.
 */
export function Scrim(props: ComponentProps<typeof Radix.Overlay>) {
  useEffect(() => {
    shown += 1;
    document.body.dataset.scrim = "";
    // With the layer's own effects, so that no style is computed between them.
    return () => {
      shown -= 1;
      if (shown === 0) delete document.body.dataset.scrim;
    };
  }, []);
  return <Radix.Overlay {...props} />;
}
