import { useState } from "react";
import { expect, it } from "vitest";
import { commands, page, userEvent } from "vitest/browser";
import { IconDialog } from "@/components/document/icon/icon-dialog";
import { PageIcon } from "@/components/ui/pictures/page-icon";
import { barriers } from "../support/barriers";
import { focused } from "../support/focus";
import { render } from "../support/render";

/** A document's icon, and the dialog that its button opens. */
function Icon() {
  const [icon, setIcon] = useState<string | null>("🗺️");
  const [open, setOpen] = useState(false);
  return (
    <main>
      <h1>Tides</h1>
      <PageIcon emoji={icon} onChange={() => setOpen(true)} />
      {open && <IconDialog icon={icon} onIcon={setIcon} onClose={() => setOpen(false)} />}
    </main>
  );
}

const picker = page.getByRole("dialog", { name: "Icon" });
const search = picker.getByRole("textbox", { name: "Search emoji by name" });

async function opened(): Promise<void> {
  render(<Icon />);
  await page.getByRole("button", { name: "Change icon 🗺️" }).click();
  await expect.element(search).toHaveFocus();
}

it("[ICON-4] moves through its rows by arrow keys, to the search and back", async () => {
  await opened();
  await commands.press("ArrowDown");
  // From the search to the selected one.
  await expect.poll(focused).toBe("world map");
  await commands.press("ArrowRight");
  const next = focused();
  expect(next).not.toBe("world map");
  await commands.press("ArrowDown");
  expect(focused()).not.toBe(next);
  await commands.press("ArrowUp");
  expect(focused()).toBe(next);
  await commands.press("Home");
  await expect.poll(focused).toBe("grinning face");
  await commands.press("Tab");
  await expect.poll(focused).toBe("Remove icon");
  await commands.press("Shift+Tab");
  await expect.poll(focused).toBe("grinning face");
  await commands.press("ArrowUp");
  await expect.element(search).toHaveFocus();
  await userEvent.fill(search, "no such thing");
  await expect.element(picker.getByText("No results")).toBeVisible();
  await commands.press("Escape");
  await expect.element(picker).not.toBeInTheDocument();
  await expect.poll(focused).toBe("Change icon 🗺️");
});

it("[ICON-4] [A11Y-1] passes axe in both themes, and at 320 px, where nothing scrolls sideways", async () => {
  await opened();
  // Two groups represent all of them: axe checks every button each time.
  await userEvent.fill(search, "globe");
  for (const colorScheme of ["light", "dark"] as const) {
    await commands.emulateMedia({ colorScheme });
    expect(await barriers()).toEqual([]);
  }
  await userEvent.fill(search, "no such thing");
  await expect.element(picker.getByText("No results")).toBeVisible();
  await page.viewport(320, 640);
  expect(await barriers()).toEqual([]);
  expect(document.documentElement.scrollWidth).toBe(320);
});
