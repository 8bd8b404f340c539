import type { Browser } from "playwright";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "./person";
import type { Person } from "./person";

type SharedDocument = { ana: Person; ben: Person; workspace: string; path: string };

/**
 * A document open in Ana's and Ben's windows: she wrote its beginning, he, who may edit, its end.
 */
export async function sharedDocument(
  browser: Browser,
  { title, begun, ended }: { title: string; begun: string; ended: string },
): Promise<SharedDocument> {
  const ana = await person(browser, "Ana");
  const ben = await person(browser, "Ben");
  const { workspace } = ana;
  const path = await newDocument(ana, title);
  await text(ana.page).click();
  await ana.page.keyboard.type(begun);
  await saved(ana.page);
  await bringIn(ana, ben, workspace, "editor");
  await ben.page.goto(path);
  await writable(ben.page).click();
  await ben.page.keyboard.press("Control+End");
  await ben.page.keyboard.type(ended);
  await saved(ben.page);
  await text(ana.page).getByText(ended.trim()).waitFor();
  // His letters arrive before the log has them; only the log says who writes here.
  await ana.page.getByText("Ana and Ben.").first().waitFor();
  return { ana, ben, workspace, path };
}
