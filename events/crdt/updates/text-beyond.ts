import * as Y from "yjs";

type AnyType = Y.ContentType["type"];

/**
 * Returns the text of a Yjs state from the clock `heldOf` of each client on, with a line for each
 * block and without deleted text.
 */
export function textBeyond(
  state: Uint8Array,
  root: string,
  heldOf: (client: number) => number,
): string {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, state);
  const lines: string[] = [];
  const walk = (type: AnyType) => {
    let line = "";
    for (let item = type._start; item; item = item.right) {
      if (item.deleted) continue;
      if (item.content instanceof Y.ContentType) walk(item.content.type);
      else if (item.content instanceof Y.ContentString)
        line += item.content.str.slice(Math.max(0, heldOf(item.id.client) - item.id.clock));
    }
    if (line !== "") lines.push(line);
  };
  walk(doc.getXmlFragment(root));
  doc.destroy();
  return lines.join("\n");
}
