import { type BundleContent, writeBundle } from "./bundle";
import type { BundlePerson } from "./bundle-format";
import type { Ruled } from "@/events/core/envelope";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import type { Seen } from "./verification";
import type { Person } from "@/events/read-models/person";
import { type FinalTexts, finalTexts, rendering } from "./final-text";
import { playerFile } from "./player-file";

type Input = {
  rows: Ruled[];
  people: ReadonlyMap<string, Person>;
  /** The newest head that this browser remembers. */
  seen: Seen | null;
  /** What the page calls the document, for a history that cannot be opened. */
  title: string;
  by: Person;
  at: string;
  /** The player without a history. */
  template: string;
  breathe: () => Promise<void>;
};

const readme = (title: string, address: string) => `${title.replace(/\s+/g, " ")}

This is a document with its whole history: who wrote what, and when.

player.html       Open it in a browser. It plays the history and checks it, without a network.
text/             The text as it is now, as Markdown, HTML and JSON.
events.ndjson     Every event, one a line, each with a hash over the one before it.
people.json       The names of those who wrote, as they were when this was exported.
heads.json        What the exporter's browser had seen of the history before.
attachments.json  The files that belong to the text.
manifest.json     The files of this bundle with their SHA-256.

To check the bundle without trusting the player in it, run "npm run verify FILE" in a copy of Palimpsest,
or write a verifier of your own: docs/spec/bundle.md describes every byte.

Document ${address}
`;

/** With what is put behind it less than the 255 bytes that file systems take. */
const longestName = 200;
/** Windows takes these for devices, whatever follows behind a dot. */
const device = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;
/** Separators, controls, and the signs that turn or hide what is read of a name. */
const unfit =
  /[\\/:*?"<>|\u0000-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g;

/** A name that every file system takes, and that reads as what it is, from a title. */
export function fileName(title: string): string {
  const plain = title
    .normalize("NFC")
    .replace(unfit, " ")
    .replace(/\s+/g, " ")
    .replace(/^[ .]+/, "");
  const bytes = new TextEncoder().encode(plain).subarray(0, longestName);
  const short = new TextDecoder().decode(bytes).replace(/[ .\ufffd]+$/, "");
  return `${short === "" || device.test(short) ? "Document" : short}.palimpsest.zip`;
}

function textsOf(rows: Ruled[], title: string): FinalTexts {
  try {
    return finalTexts(openTimeline(rows));
  } catch {
    // A history with a hole has no text that follows from it; what there is of it is evidence all the same.
    return { title, markdown: "", html: "", json: "" };
  }
}

/** Makes the bundle of a document from the rows that its reader was given. */
export async function makeBundle({
  rows,
  people,
  seen,
  title,
  by,
  at,
  template,
  breathe,
}: Input): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const last = rows.at(-1);
  if (!last) throw new Error("a document without events cannot be exported");
  const { title: named, ...texts } = textsOf(rows, title);
  const actors = [...new Set(rows.map(({ actorId }) => actorId))];
  const persons: BundlePerson[] = actors.map((id) => {
    const person = people.get(id);
    return { id, name: person?.name ?? "Somebody", color: person?.color ?? 10 };
  });
  const heads = seen
    ? [{ version: seen.version, hash: seen.hash, seen: new Date(seen.at).toISOString() }]
    : [];
  await breathe();
  const content: BundleContent = {
    manifest: {
      format: "palimpsest-bundle",
      version: 1,
      rendering,
      document: { id: last.streamId, title: named },
      exported: { at, by: { id: by.userId, name: by.name } },
      events: rows.length,
      head: { version: last.version, hash: last.hash },
    },
    rows,
    people: persons,
    heads,
    attachments: [],
    texts,
    player: playerFile(template, { rows, people: persons, heads, exported: { at, by: by.name } }),
    readme: readme(named, last.streamId),
  };
  return { name: fileName(named), bytes: await writeBundle(content, breathe) };
}
