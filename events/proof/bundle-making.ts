import { fileStem } from "@/events/formats/writing/file-stem";
import { attachmentsOf } from "./bundle-attachments";
import { writeBundle } from "./bundle";
import type { BundleContent } from "./bundle";
import type { BundlePerson } from "./bundle-format";
import type { Ruled } from "@/events/core/envelope";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import type { Seen } from "./verification";
import type { Person } from "@/events/read-models/person";
import { finalTexts, rendering } from "./final-text";
import type { FinalTexts } from "./final-text";
import { playerFile } from "./player-file";

type Input = {
  rows: Ruled[];
  people: ReadonlyMap<string, Person>;
  /** The newest head that this browser remembers. */
  seen: Seen | null;
  /** The document's title in the page, for a history that cannot be opened. */
  title: string;
  by: Person;
  at: string;
  /** The player without a history. */
  template: string;
  /** The bytes of the document's readable images and files, by SHA-256. */
  files: ReadonlyMap<string, Uint8Array>;
  breathe: () => Promise<void>;
};

const readme = (title: string, address: string) => `${title.replace(/\s+/g, " ")}

This is a document with its whole history: who wrote what, and when.

player.html       Open it in a browser. It plays the history and checks it, without a network.
text/             The text as it is now, as Markdown, HTML and JSON.
events.ndjson     Every event, one a line, each with a hash over the one before it.
people.json       The names of those who wrote, as they were when this was exported.
heads.json        What the exporter's browser had seen of the history before.
files/            The images and files of the text and of its history, each called by its SHA-256.
attachments.json  What those files are called.
manifest.json     The files of this bundle with their SHA-256.

To check the bundle without trusting the player in it, run "npm run verify FILE" in a copy of Palimpsest,
or write a verifier of your own: docs/spec/bundle.md describes every byte.

Document ${address}
`;

function textsOf(rows: Ruled[], title: string): FinalTexts {
  try {
    return finalTexts(openTimeline(rows), rows);
  } catch {
    // A history with a gap determines no text, but its existing part is still evidence.
    return { title, markdown: "", html: "", json: "" };
  }
}

/** Builds a document's bundle from the rows that its reader received. */
export async function makeBundle({
  rows,
  people,
  seen,
  title,
  by,
  at,
  template,
  files,
  breathe,
}: Input): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const last = rows.at(-1);
  if (!last) throw new Error("A document without events cannot be exported");
  const { title: named, ...texts } = textsOf(rows, title);
  const actors = [...new Set(rows.map(({ actorId }) => actorId))];
  const persons: BundlePerson[] = actors.map((id) => {
    const person = people.get(id);
    return { id, name: person?.name ?? "Somebody", color: person?.color ?? 10 };
  });
  const heads = seen
    ? [{ version: seen.version, hash: seen.hash, seen: new Date(seen.at).toISOString() }]
    : [];
  const attachments = attachmentsOf(rows).filter(({ sha256 }) => files.has(sha256));
  await breathe();
  const content: BundleContent = {
    manifest: {
      format: "palimpsest-bundle",
      version: attachments.length > 0 ? 2 : 1,
      rendering,
      document: { id: last.streamId, title: named },
      exported: { at, by: { id: by.userId, name: by.name } },
      events: rows.length,
      head: { version: last.version, hash: last.hash },
    },
    rows,
    people: persons,
    heads,
    attachments,
    files,
    texts,
    player: playerFile(template, { rows, people: persons, heads, exported: { at, by: by.name } }),
    readme: readme(named, last.streamId),
  };
  return { name: `${fileStem(named)}.palimpsest.zip`, bytes: await writeBundle(content, breathe) };
}
