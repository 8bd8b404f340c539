import * as z from "zod/mini";
import { escapedHtml } from "@/events/core/text/escaped-html";
import { htmlPage } from "./html-page";

const place = z.object({
  id: z.string(),
  name: z.string(),
  role: z.string(),
  since: z.string(),
  favourites: z.array(z.string()),
});
const listed = z.object({
  id: z.string(),
  workspace: z.string(),
  title: z.string(),
  trashed: z.boolean(),
});
/** A person's data besides their writing, and the documents in which they wrote. */
export const ownDataAnswer = z.object({
  profile: z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    color: z.nullable(z.int()),
    /** The service's address of the person's picture. */
    picture: z.nullable(z.string()),
    createdAt: z.nullable(z.string()),
  }),
  sessions: z.array(z.object({ device: z.string(), since: z.string(), lastUsed: z.string() })),
  signIns: z.array(z.object({ what: z.string(), at: z.string() })),
  workspaces: z.array(place),
  documents: z.array(listed),
});
export type OwnData = z.infer<typeof ownDataAnswer>;
export type ListedDocument = z.infer<typeof listed>;

/** A person's writing in one document. */
export const ownWordsAnswer = z.object({
  passages: z.array(
    z.object({
      text: z.string(),
      paragraph: z.int(),
      follows: z.boolean(),
      writtenAt: z.string(),
      until: z.string(),
      stands: z.boolean(),
      deletedAt: z.optional(z.string()),
    }),
  ),
  comments: z.array(
    z.object({
      id: z.string(),
      text: z.string(),
      added_at: z.string(),
      edited_at: z.nullable(z.string()),
    }),
  ),
});
type OwnWords = z.infer<typeof ownWordsAnswer>;

const moment = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;

const style = `
:root { color-scheme: light dark; }
body { max-width: 42rem; margin: 3rem auto; padding: 0 1.25rem; font: 1.0625rem/1.6 Georgia, serif; }
h1, h2 { line-height: 1.25; } h2 { margin-top: 2em; font-size: 1.3rem; }
p, li, dd { overflow-wrap: anywhere; } li { margin-block: 0.25em; }
dt { float: left; clear: left; width: 8rem; opacity: 0.75; } dd { margin-left: 8.5rem; }
blockquote { margin: 0.25em 0 1.25em; padding-left: 1em; border-left: 3px solid #8886; white-space: pre-wrap; }
small { opacity: 0.75; } del { opacity: 0.8; }`;

const page = (title: string, body: string): string =>
  htmlPage({ title, language: "en", style, body: `<h1>${escapedHtml(title)}</h1>\n${body}` });

const titleOf = ({ title }: ListedDocument) => (title.trim() === "" ? "Untitled" : title);

type Words = OwnWords["passages"];

/** Groups passages by paragraph, with deleted ones struck through and gaps for others' words. */
function paragraphsOf(passages: Words): string[] {
  const paragraphs = new Map<number, Words>();
  for (const passage of passages)
    paragraphs.set(passage.paragraph, [...(paragraphs.get(passage.paragraph) ?? []), passage]);
  return [...paragraphs.values()].map((own) => {
    const from = own.map(({ writtenAt }) => writtenAt).toSorted()[0] ?? "";
    const until =
      own
        .map((passage) => passage.until)
        .toSorted()
        .at(-1) ?? "";
    const [first, last] = [moment(from), moment(until)];
    const words = own.map(({ text, stands, follows, deletedAt }, index) => {
      const gap = index > 0 && !follows ? " … " : "";
      if (stands) return gap + escapedHtml(text);
      const when = deletedAt === undefined ? "" : ` title="Deleted ${moment(deletedAt)}"`;
      return `${gap}<del${when}>${escapedHtml(text)}</del>`;
    });
    const span = first === last ? first : `${first} to ${last}`;
    return `<p><small>${span}</small></p>\n<blockquote>${words.join("")}</blockquote>`;
  });
}

/** Returns a person's own writing in a document, as a self-contained page without scripts. */
export function ownWordsPage(document: ListedDocument, { passages, comments }: OwnWords): string {
  const commentLines = comments.map(
    ({ text, added_at: at }) =>
      `<p><small>Comment, ${moment(at)}</small></p>\n<blockquote>${escapedHtml(text)}</blockquote>`,
  );
  const body = [...paragraphsOf(passages), ...commentLines].join("\n");
  return page(
    titleOf(document),
    body === ""
      ? "<p>Nothing of yours is in this document any more.</p>"
      : `<p><small>What is struck out was deleted. “…” stands for words of others.</small></p>\n${body}`,
  );
}

/** Returns the address of a page beside the index. A `#` in a name would end the path. */
const addressOf = (file: string) => encodeURI(`${file}.html`).replaceAll("#", "%23");

/** A document in the index, with the name of its files or the reason why there are none. */
export type IndexedDocument = { document: ListedDocument; file: string | null; why: string | null };

/** The file name of the person's picture in the archive. */
export const pictureFile = "picture.webp";

/** Returns the page that links to all files in the archive. */
export function ownDataIndex(own: OwnData, documents: readonly IndexedDocument[]): string {
  const { profile, workspaces, sessions, signIns } = own;
  const facts = [
    ["Name", profile.name],
    ["Address", profile.email],
    ["Colour", profile.color === null ? "given by each workspace" : String(profile.color)],
    ["Created", profile.createdAt === null ? "not known" : moment(profile.createdAt)],
  ].map(([name = "", value = ""]) => `<dt>${name}</dt><dd>${escapedHtml(value)}</dd>`);
  if (profile.picture !== null)
    facts.push(`<dt>Picture</dt><dd><a href="${pictureFile}">${pictureFile}</a></dd>`);
  const list = (items: readonly string[], none: string) =>
    items.length > 0 ? `<ul>\n${items.join("\n")}\n</ul>` : `<p>${none}</p>`;
  const places = workspaces.map(({ id, name, role }) => {
    const there = documents.filter(({ document }) => document.workspace === id);
    const rows = there.map(({ document, file, why }) => {
      const title = escapedHtml(titleOf(document));
      const trashed = document.trashed ? " <small>(in the trash)</small>" : "";
      return file === null
        ? `<li>${title}${trashed} <small>${escapedHtml(why ?? "")}</small></li>`
        : `<li><a href="${escapedHtml(addressOf(file))}">${title}</a>${trashed}</li>`;
    });
    const head = `<h2>${escapedHtml(name)}</h2>\n<p><small>You are ${escapedHtml(role)} here.</small></p>`;
    return `${head}\n${list(rows, "You have written nothing here.")}`;
  });
  return page(
    "Your data in Palimpsest",
    `<dl>${facts.join("\n")}</dl>
<p><small>Everything on these pages is in the JSON files as well. Words of other people are not among it, and
neither is what you wrote in workspaces that you cannot read any more: ask their owners.</small></p>
${places.join("\n")}
<h2>Sessions</h2>
${list(
  sessions.map(
    ({ device, lastUsed }) => `<li>${escapedHtml(device)} <small>${moment(lastUsed)}</small></li>`,
  ),
  "There is none.",
)}
<h2>Sign-in history</h2>
${list(
  signIns.map(({ what, at }) => `<li>${escapedHtml(what)} <small>${moment(at)}</small></li>`),
  "There is none.",
)}`,
  );
}
