import type { Browser } from "playwright";
import { bringIn } from "@/tests/support/writers/writers";
import { newDocument, person, saved, text, writable } from "./person";
import type { Person } from "./person";

type SharedDocument = { ana: Person; ben: Person; workspace: string; path: string };

/**
 * Opens a document in Ana's and Ben's windows. Ana wrote its beginning, and Ben, who may edit, its
 * end.
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
  // Ben's letters arrive before the log has them. Only the log names the writer.
  await ana.page.getByText("Ana and Ben.").first().waitFor();
  return { ana, ben, workspace, path };
}
