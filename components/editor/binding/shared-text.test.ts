import type { Node } from "@tiptap/pm/model";
import { expect, test } from "vitest";
import * as Y from "yjs";
import { BoundText, pair } from "../bound-text.fixture";
import { randomEdit, seeded } from "../random-edits.fixture";

const blocksOf = ({ state }: BoundText): Node[] => [...state.doc.content.content];

test("[EDIT-53] another person’s letter rebuilds only its own block", () => {
  const { ana, ben } = pair();
  ana.type("one\ntwo\nthree\nfour");
  const before = blocksOf(ana);
  ben.type("?", ben.find("three"));
  const after = blocksOf(ana);
  expect(ana.text).toBe("one|two|?three|four");
  expect(after.map((block, index) => block === before[index])).toEqual([true, true, false, true]);
});

test("[EDIT-53] an editor shows exactly the shared text after any edits", () => {
  for (let seed = 1; seed <= 20; seed += 1) {
    const random = seeded(seed);
    const { ana, ben } = pair();
    for (let edit = 0; edit < 40; edit += 1) {
      const [writer, letters] = random() < 0.5 ? ([ana, "abc"] as const) : ([ben, "xyz"] as const);
      if (random() < 0.1) writer.undo();
      else randomEdit(random, writer, letters);
      for (const text of [ana, ben]) {
        const copy = new Y.Doc();
        Y.applyUpdate(copy, Y.encodeStateAsUpdate(text.doc));
        expect(text.state.doc.toJSON(), `seed ${seed}, edit ${edit}`).toEqual(
          new BoundText(copy).state.doc.toJSON(),
        );
      }
    }
  }
});

/**
 * Deletes, as Ben, the block with these words, in which Ana's caret is. Returns the text after Ana
 * has typed.
 */
function typedBehindRemoval(words: string, alsoGone: readonly string[] = []): string {
  const { ana, ben } = pair();
  ana.type("one\ntwo\nthree\nfour");
  ana.caret(ana.find(words) + 1);
  ben.dispatch(
    [words, ...alsoGone].reduce((transaction, gone) => {
      const at = transaction.doc.resolve(transaction.mapping.map(ben.find(gone)));
      return transaction.delete(at.before(1), at.after(1));
    }, ben.state.tr),
  );
  ana.type("!");
  expect(ben.text).toBe(ana.text);
  return ana.text;
}

test("[WRITE-8] the caret stays in place when another person deletes its block", () => {
  expect(typedBehindRemoval("one")).toBe("!two|three|four");
  expect(typedBehindRemoval("two")).toBe("one|!three|four");
  expect(typedBehindRemoval("four")).toBe("one|two|three!");
  expect(typedBehindRemoval("two", ["three"])).toBe("one|!four");
  expect(typedBehindRemoval("two", ["four"])).toBe("one|!three");
});
