import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ConfirmedDocument } from "@/events/crdt/validation/confirmed-document";
import type { WholeState } from "@/events/crdt/validation/document-state";
import { stream } from "@/events/history/timeline/rows.fixture";
import { anyGesture, richEdits } from "@/events/crdt/updates/rich-edits.fixture";
import { ShownText } from "./shown-text";

const people = new Map([
  [3_141_592_653, "Ana"],
  [7, "Ben"],
  [2 ** 40 + 1, "Carol"],
]);
const rowsOf = (edits: { client: number; update: Uint8Array }[]) =>
  stream(
    "Minutes",
    edits.map(({ client, update }, index) => [
      { update, time: index * 160, actorId: people.get(client) ?? "" },
    ]),
  );

function differs(rows: ReturnType<typeof rowsOf>, shown: WholeState): boolean | null {
  const check = new ShownText(shown);
  for (const row of rows) check.add(row);
  return check.differs;
}

/** Returns the same text in a document that collected its garbage. */
function collected({ version, state }: WholeState): WholeState {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  return { version, state: Y.encodeStateAsUpdate(doc) };
}

describe("the text that is shown", () => {
  it("[VERIFY-9] equals the text of its events, from any opening state and at any version", () => {
    fc.assert(
      fc.property(
        fc.array(anyGesture, { minLength: 3, maxLength: 40 }).map(richEdits),
        fc.nat(),
        fc.nat(),
        (edits, opened, reached) => {
          const rows = rowsOf(edits);
          const end = 1 + (reached % rows.length);
          const early = new ConfirmedDocument(null);
          for (const row of rows.slice(0, opened % end)) early.integrate(row);
          const page = new ConfirmedDocument(
            early.version > 0
              ? {
                  ...collected(early.state()),
                  owners: [...people].map(([client, name]) => [client, name]),
                }
              : null,
          );
          for (const row of rows.slice(page.version, end)) page.integrate(row);
          expect(differs(rows, page.state())).toBe(false);
        },
      ),
      { numRuns: 150 },
    );
  });

  it("[VERIFY-9] differs if a letter, a mark, a block or an attribute does", () => {
    const changes: ((root: Y.XmlFragment, text: Y.XmlText, element: Y.XmlElement) => void)[] = [
      (_root, text) => text.delete(0, 1),
      (_root, text) => text.insert(1, "x"),
      (_root, text) => text.format(0, 2, { bold: {} }),
      (root) => root.insert(1, [new Y.XmlElement("paragraph")]),
      (_root, _text, element) => element.setAttribute("level", "2"),
    ];
    const author = new Y.Doc();
    author.clientID = 7;
    const [element, text] = [new Y.XmlElement("heading"), new Y.XmlText()];
    author.transact(() => {
      author.getXmlFragment("default").insert(0, [element]);
      element.insert(0, [text]);
      text.insert(0, "Harbour");
    });
    const rows = rowsOf([{ client: 7, update: Y.encodeStateAsUpdate(author) }]);
    const version = rows.length;
    expect(differs(rows, { version, state: Y.encodeStateAsUpdate(author) })).toBe(false);
    for (const change of changes) {
      const forged = new Y.Doc();
      Y.applyUpdate(forged, Y.encodeStateAsUpdate(author));
      const root = forged.getXmlFragment("default");
      const [heading] = root.toArray();
      const textblock = heading instanceof Y.XmlElement ? heading.get(0) : null;
      if (!(heading instanceof Y.XmlElement) || !(textblock instanceof Y.XmlText))
        throw new Error("There is no heading.");
      change(root, textblock, heading);
      expect(differs(rows, { version, state: Y.encodeStateAsUpdate(forged) })).toBe(true);
    }
  });

  it("[VERIFY-9] is not judged before the log has reached its version", () => {
    const rows = rowsOf([]);
    expect(
      differs(rows, { version: rows.length + 1, state: Y.encodeStateAsUpdate(new Y.Doc()) }),
    ).toBeNull();
  });
});
