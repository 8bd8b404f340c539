import { expect, it } from "vitest";
import * as Y from "yjs";
import { schemaVersion } from "@/events/content/schema";
import { row } from "@/events/history/timeline/rows.fixture";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { encodeEdits } from "@/events/crdt/payload/payload";
import { copyOf } from "../fork";
import { ownLinks } from "./own-links";

const from = "00000000-0000-4000-8000-00000000000a";
const to = "00000000-0000-4000-8000-00000000000b";
const other = "00000000-0000-4000-8000-00000000000c";
const origin = "https://palimpsest.example";
const start = Date.UTC(2026, 10, 28);

/** Returns the targets of a text's links, with the words of the links that have any. */
function linksIn(fragment: Y.XmlFragment): string[] {
  return fragment.toArray().flatMap((child): string[] => {
    if (child instanceof Y.XmlText) {
      const deltas: { insert: string; attributes?: { link?: { href: string } } }[] =
        child.toDelta();
      return deltas.flatMap(({ insert, attributes }) =>
        attributes?.link ? [`${insert} → ${attributes.link.href}`] : [],
      );
    }
    if (!(child instanceof Y.XmlElement)) return [];
    const own =
      child.nodeName === "documentLink"
        ? [`${child.getAttribute("document")}#${child.getAttribute("block") ?? ""}`]
        : [];
    return [...own, ...linksIn(child)];
  });
}

function documentLink(document: string, block: string): Y.XmlElement {
  const link = new Y.XmlElement("documentLink");
  link.setAttribute("document", document);
  link.setAttribute("block", block);
  return link;
}

/** Duplicates a document with these lines, and returns the copy as its readers fold it. */
function duplicated(lines: (Y.XmlText | Y.XmlElement)[]) {
  const first = new Y.Doc();
  const paragraph = new Y.XmlElement("paragraph");
  first.getXmlFragment("default").insert(0, [paragraph]);
  paragraph.insert(0, lines);
  const rows = [
    row({ version: 1, actorId: "Ana", type: "document.created", body: { title: "" } }, start),
    row(
      {
        version: 2,
        actorId: "Ana",
        schema: schemaVersion,
        clientIds: [first.clientID],
        update: encodeEdits([{ update: Y.encodeStateAsUpdate(first), time: start }]),
      },
      start,
    ),
  ];
  const { passages, doc } = copyOf(rows, from);
  const edit = ownLinks(doc, { from, to, origin, time: start });
  const copy = [
    row({ version: 1, actorId: "Ben", type: "document.created", body: { title: "" } }, start),
    ...passages.map((piece, index) =>
      row(
        {
          version: index + 2,
          actorId: "Ben",
          type: "document.forked",
          schema: schemaVersion,
          ...piece,
        },
        start,
      ),
    ),
    ...(edit
      ? [
          row(
            { version: passages.length + 2, actorId: "Ben", schema: schemaVersion, ...edit },
            start,
          ),
        ]
      : []),
  ];
  const timeline = openTimeline(copy);
  expect(timeline.anomalies).toEqual([]);
  const read = new Y.Doc();
  Y.applyUpdate(read, timeline.state());
  return { links: linksIn(read.getXmlFragment("default")), isEdited: edit !== null };
}

it("[FORK-14] points links of a duplicate to itself and its blocks at the copy, and no others", () => {
  const words = new Y.XmlText();
  words.applyDelta([
    { insert: "see " },
    { insert: "above", attributes: { link: { href: `/d/${from}#7-12` } } },
    { insert: " and " },
    { insert: "there", attributes: { link: { href: `${origin}/d/${from}` } } },
    { insert: " or " },
    { insert: "then", attributes: { link: { href: `/d/${from}?at=3` } } },
    { insert: ", " },
    { insert: "Ben", attributes: { link: { href: `/d/${other}#7-12` } } },
  ]);
  const made = duplicated([words, documentLink(from, "7-12"), documentLink(other, "7-12")]);
  expect(made).toEqual({
    links: [
      `above → /d/${to}#7-12`,
      `there → ${origin}/d/${to}`,
      `then → /d/${from}?at=3`,
      `Ben → /d/${other}#7-12`,
      `${to}#7-12`,
      `${other}#7-12`,
    ],
    isEdited: true,
  });
});

it("[FORK-14] writes nothing into a duplicate without links to itself", () => {
  const links = [`${other}#7-12`];
  expect(duplicated([documentLink(other, "7-12")])).toEqual({ links, isEdited: false });
});
