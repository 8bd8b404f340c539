"use client";

import { preload } from "react-dom";

const serif = new URL(
  "@fontsource-variable/literata/files/literata-latin-opsz-normal.woff2",
  import.meta.url,
);
const sans = new URL(
  "@fontsource-variable/commissioner/files/commissioner-latin-wght-normal.woff2",
  import.meta.url,
);

/** Preloads the two upright Latin fonts before the style sheet requests them. */
export function FontPreload() {
  for (const font of [serif, sans]) {
    preload(font.pathname, { as: "font", type: "font/woff2", crossOrigin: "anonymous" });
  }
  return null;
}
