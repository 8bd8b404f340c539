import { expect, test } from "vitest";
import * as Y from "yjs";
import { BoundText, pair } from "../bound-text.fixture";
import { randomEdit, seeded } from "../random-edits.fixture";

const seeds = Array.from(
  { length: Number(process.env.SEEDS ?? 40) },
  (_, index) => index + Number(process.env.SEED ?? 1),
);

function all(text: BoundText, kind: "undo" | "redo"): number {
  let count = 0;
  while (text[kind]()) count += 1;
  return count;
}

const json = (text: BoundText) => text.state.doc.toJSON();
/** Opens the shared text on a new page. */
const opened = (text: BoundText) => {
  const copy = new Y.Doc();
  Y.applyUpdate(copy, Y.encodeStateAsUpdate(text.doc));
  return new BoundText(copy);
};

test("[EDIT-21] undoing all restores the initial document, redoing all the final one", () => {
  for (const seed of seeds) {
    const random = seeded(seed);
    const ana = new BoundText(new Y.Doc());
    const initial = json(ana);
    for (let edit = 0; edit < 40; edit += 1) randomEdit(random, ana, "abc");
    const written = json(ana);
    all(ana, "undo");
    expect(json(ana), `seed ${seed}`).toEqual(initial);
    expect(json(opened(ana)), `seed ${seed}, opened`).toEqual(initial);
    all(ana, "redo");
    expect(json(ana), `seed ${seed}`).toEqual(written);
    expect(json(opened(ana)), `seed ${seed}, opened`).toEqual(written);
  }
});

const stretch = (random: () => number, { state }: BoundText): [number, number] => {
  const from = Math.floor(random() * state.doc.content.size);
  return [from, Math.min(state.doc.content.size, from + Math.floor(random() * 30))];
};

const capitals = (text: BoundText) => text.text.replace(/[^A-Z]/g, "");

/**
 * Whether these letters are a subsequence of the others. Undo restores letters of others that a
 * person deleted between them.
 */
function standsIn(letters: string, others: string): boolean {
  let at = 0;
  for (const letter of others) if (letter === letters[at]) at += 1;
  return at === letters.length;
}

test(
  "[WRITE-30] among another person’s edits, undoing everything keeps every word " +
    "of theirs, and redoing is exact",
  () => {
    for (const seed of seeds) {
      const random = seeded(seed);
      const { ana, ben } = pair();
      for (let edit = 0; edit < 40; edit += 1) {
        if (random() < 0.5) randomEdit(random, ana, "abc");
        else randomEdit(random, ben, "XYZ");
      }
      const written = json(ana);
      expect(json(ben), `seed ${seed}, same`).toEqual(written);
      const theirs = capitals(ana);
      all(ana, "undo");
      expect(json(ben), `seed ${seed}, same`).toEqual(json(ana));
      expect(standsIn(theirs, capitals(ana)), `seed ${seed}: ${theirs} in ${capitals(ana)}`).toBe(
        true,
      );
      ana.state.doc.check();
      all(ana, "redo");
      expect(json(ana), `seed ${seed}`).toEqual(written);
    }
  },
);

test.each([
  ["at once", true],
  ["now and then", false],
])(
  "[WRITE-31] undo and redo among edits that arrive %s never fail, and keep the other’s words",
  (_name, live) => {
    for (const seed of seeds) {
      const random = seeded(seed * 7);
      const { ana, ben, meet } = pair(live);
      for (let edit = 0; edit < 60; edit += 1) {
        const chance = random();
        if (chance < 0.3) randomEdit(random, ana, "abc");
        else if (chance < 0.55) randomEdit(random, ben, "XYZ");
        else if (chance < 0.65) ben.deleted(...stretch(random, ben));
        else if (chance < 0.85) {
          const theirs = capitals(ana);
          ana.undo();
          expect(
            standsIn(theirs, capitals(ana)),
            `seed ${seed}, edit ${edit}: ${theirs} in ${capitals(ana)}`,
          ).toBe(true);
        } else if (chance < 0.95) ana.redo();
        else meet();
      }
      meet();
      expect(json(ana), `seed ${seed}`).toEqual(json(ben));
      ana.state.doc.check();
    }
  },
);
