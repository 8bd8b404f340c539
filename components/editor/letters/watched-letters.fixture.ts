import type { Node } from "@tiptap/pm/model";
import type { Transaction } from "@tiptap/pm/state";
import { ReplaceStep } from "@tiptap/pm/transform";
import { ySyncPluginKey } from "@tiptap/y-tiptap";
import * as Y from "yjs";
import type { BoundText } from "../bound-text.fixture";

/** Returns the ids of the letters that a text shows, by their editor positions. */
export function idsOf({ state, doc }: BoundText): Map<number, string> {
  const ids = new Map<number, string>();
  const walk = (type: Y.XmlFragment, node: Node, start: number): void => {
    let at = start;
    let index = 0;
    for (const child of type.toArray()) {
      if (child instanceof Y.XmlText) {
        for (let item = child._start; item !== null; item = item.right) {
          if (item.deleted || !item.countable) continue;
          for (let letter = 0; letter < item.length; letter += 1, at += 1)
            ids.set(at, `${item.id.client}:${item.id.clock + letter}`);
        }
      } else if (child instanceof Y.XmlElement) {
        const shown = node.isTextblock ? node.nodeAt(at - start) : node.child(index++);
        if (!shown) throw new Error(`${child.nodeName} is not rendered`);
        walk(child, shown, at + 1);
        at += shown.nodeSize;
      }
    }
  };
  walk(doc.getXmlFragment("default"), state.doc, 0);
  return ids;
}

/** Whether a transaction only typed, deleted or replaced letters within one line. */
function isTyping({ steps, docs }: Transaction): boolean {
  return steps.every((step, index) => {
    const $from = step instanceof ReplaceStep ? docs[index]?.resolve(step.from) : undefined;
    if (!(step instanceof ReplaceStep) || !$from?.parent.isTextblock) return false;
    if (step.to > $from.end() || step.slice.openStart > 0) return false;
    const removed = $from.parent.content.cut(step.from - $from.start(), step.to - $from.start());
    return [removed, step.slice.content].every(({ content }) =>
      content.every((node) => node.isText),
    );
  });
}

type Watched = {
  /** Letters whose place differs from the editor's steps. */
  elsewhere: string[];
  /** Letters that were written again although only adjacent letters were typed or deleted. */
  rewritten: string[];
};

/**
 * Compares the letters of the shared text with the editor's steps on each local edit within a line,
 * or on every local edit with `all`.
 */
export function watchLetters(text: BoundText, all: boolean): Watched {
  const watched: Watched = { elsewhere: [], rewritten: [] };
  const { dispatch } = text;
  const watching = (transaction: Transaction) => {
    // A remote change replaces the whole text in the editor.
    const isOwn = transaction.docChanged && transaction.getMeta(ySyncPluginKey) === undefined;
    if (!isOwn) return void dispatch(transaction);
    const [before, was] = [idsOf(text), text.state.doc.toString()];
    dispatch(transaction);
    const places = new Map([...idsOf(text)].map(([at, id]) => [id, at]));
    const typing = isTyping(transaction);
    if (!typing && !all) return;
    for (const [at, id] of before) {
      const { pos, deletedAfter } = transaction.mapping.mapResult(at, 1);
      const now = places.get(id);
      const what = `${id} at ${at} of ${was}: ${JSON.stringify(transaction.steps)}`;
      if (now !== undefined && (deletedAfter || pos !== now)) watched.elsewhere.push(what);
      if (now === undefined && !deletedAfter && typing) watched.rewritten.push(what);
    }
  };
  Object.assign(text, { dispatch: watching });
  return watched;
}
