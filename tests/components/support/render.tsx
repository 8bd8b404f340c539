import type { ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { Root } from "react-dom/client";
import { afterEach } from "vitest";
import { commands, page } from "vitest/browser";
import { watchFocus } from "@/components/ui/keyboard/focus-history";
import "@/app/tokens.css";
import "@/app/fonts.css";
import "@/app/globals.css";

let shown: { root: Root; place: HTMLElement } | null = null;

/** Shows a component in the empty page of a test, with the product's styles. */
export function render(node: ReactNode): void {
  end();
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  shown = { root, place };
  root.render(node);
  // Keys that are pressed go to the focused frame.
  window.focus();
}

function end(): void {
  shown?.root.unmount();
  shown?.place.remove();
  shown = null;
}

// As the product's root layout does.
watchFocus();
afterEach(async () => {
  end();
  await page.viewport(1280, 720);
  await commands.emulateMedia({ colorScheme: null });
});
