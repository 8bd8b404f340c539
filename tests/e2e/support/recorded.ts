import { yXmlFragmentToProseMirrorRootNode } from "@tiptap/y-tiptap";
import { expect } from "vitest";
import { documentSchema } from "@/events/content/schema";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import { supabaseStore } from "@/events/log/store";
import { saved, shownId, text } from "./person";
import type { Person } from "./person";

/** Returns the words of each block of a document, folded from the log alone. */
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

/**
 * Returns the words of each block on a person's page, without carets and other elements between the
 * letters.
 */
const shownBlocks = ({ page }: Person) =>
  text(page).evaluate((element) => {
    const copy = element.cloneNode(true);
    if (!(copy instanceof Element)) return [];
    for (const beside of copy.querySelectorAll('.caret, [contenteditable="false"]'))
      beside.remove();
    return [...copy.children].map((block) => block.textContent);
  });

/**
 * Checks that these people's pages and the log agree on the open document. Every page must report
 * that it is saved, and all must show the same text. A page that shows words refused by the log
 * fails here.
 */
export async function expectRecorded(...people: readonly Person[]): Promise<void> {
  const [first] = people;
  if (first === undefined) throw new Error("No person has the document open");
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
