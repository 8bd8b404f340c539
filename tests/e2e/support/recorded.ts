import { yXmlFragmentToProseMirrorRootNode } from "@tiptap/y-tiptap";
import { expect } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { type Person, saved, shownId, text } from "./person";

/** The words of each block of a document, as its log says them to a reader who has nothing else. */
export async function loggedBlocks({ client }: Pick<Person, "client">, document: string) {
  const confirmed = new ConfirmedDocument(null);
  for (const row of await supabaseStore(client).read(document, 0)) confirmed.integrate(row);
  const words: string[] = [];
  const fragment = confirmed.doc.getXmlFragment("default");
  yXmlFragmentToProseMirrorRootNode(fragment, documentSchema).forEach((block) =>
    words.push(block.textContent),
  );
  return words;
}

/** The words of each block that somebody's page shows, without carets and what else stands between its letters. */
const shownBlocks = ({ page }: Person) =>
  text(page).evaluate((element) => {
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) return [];
    for (const beside of copy.querySelectorAll('.caret, [contenteditable="false"]'))
      beside.remove();
    return [...copy.children].map((block) => block.textContent);
  });

/**
 * What these people see of the document that they have open is what its log holds: every page says that it has saved,
 * and pages and log read the same. A page that shows words which the log has refused fails here.
 */
export async function expectRecorded(...people: readonly Person[]): Promise<void> {
  const [first] = people;
  if (first === undefined) throw new Error("Nobody has the document open.");
  const document = shownId(first.page);
  for (const { page } of people) await saved(page);
  const seen = async () => {
    const pages = await Promise.all(people.map(shownBlocks));
    return { pages, log: await loggedBlocks(first, document) };
  };
  await expect
    .poll(async () => {
      const { pages, log } = await seen();
      return pages.map((page) => JSON.stringify(page) === JSON.stringify(log));
    })
    .toEqual(people.map(() => true))
    .catch(async () => {
      const { pages, log } = await seen();
      for (const page of pages) expect(page).toEqual(log);
    });
}
