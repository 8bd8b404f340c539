import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "@/events/core/cases.fixture";
import {
  RestoredHistory,
  takenOutBy,
  typedLetters,
  wasCarried,
  writers,
} from "../restored-history.fixture";
import { anyFamilySteps, familyOf } from "./steps.fixture";

describe(
  "who wrote what, through forks and merges of restored documents",
  { timeout: 120_000 },
  () => {
    it("[FORK-9] [UNDERSTAND-20] gives every letter of every document one author, who is the one who typed it", async () => {
      let carried = 0;
      await fc.assert(
        fc.asyncProperty(anyFamilySteps, async (steps) => {
          for (const history of familyOf(steps)) {
            expect(history.timeline.anomalies).toEqual([]);
            const told = await history.authorship();
            expect(told.map(([letter]) => letter)).toEqual(typedLetters(history.text));
            expect(told).toEqual(told.map(([letter]) => [letter, history.typist.get(letter)]));
            carried += told.filter(([letter]) => !history.typedHere.has(letter)).length;
          }
        }),
        { numRuns: cases(60) },
      );
      expect(carried).toBeGreaterThan(cases(60));
    });

    it("[ACT-2] takes back every letter that a person typed in a document, and none that others typed or carried there", () => {
      fc.assert(
        fc.property(anyFamilySteps, fc.nat(2), fc.nat(2), (steps, of, which) => {
          const documents = familyOf(steps);
          const history = documents[which % documents.length] ?? new RestoredHistory();
          const author = writers[of] ?? "Ana";
          const { timeline } = history;
          // One event alone is taken back as its undo does it.
          fc.pre(timeline.length > 2 && timeline.revision(1).version < timeline.version);
          const before = typedLetters(history.text);
          const to = timeline.length - 1;
          history.restore(0, { kind: "author", timeline, author, from: 0, to });
          const after = typedLetters(history.text);
          const isTheirs = (letter: string) =>
            history.typist.get(letter) === author && history.typedHere.has(letter);
          expect(before.filter((letter) => !isTheirs(letter) && !after.includes(letter))).toEqual(
            [],
          );
          // What was in a fork and came back with a merge was carried here by choice.
          expect(
            after.filter((letter) => isTheirs(letter) && !wasCarried(timeline, letter)),
          ).toEqual([]);
          const returned = after.filter((letter) => !before.includes(letter));
          expect(returned.filter((letter) => !takenOutBy(timeline, letter).has(author))).toEqual(
            [],
          );
        }),
        { numRuns: cases(60) },
      );
    });

    it("[FORK-9] names who typed what was restored, and what was parted by somebody else, before it was forked", async () => {
      const history = new RestoredHistory();
      history.act({ kind: 0, at: 0, size: 1, writer: 0 });
      const { timeline } = history;
      history.restore(1, { kind: "revision", timeline, index: 0 });
      history.restore(1, { kind: "revision", timeline, index: timeline.length - 1 });
      history.sync(2);
      history.act({ kind: 9, at: 0, size: 1, writer: 2 });
      const told = await history.fork(1).authorship();
      expect(told.map(([, author]) => author)).toEqual(["Ana", "Ana"]);
    });

    it("[ACT-2] leaves what a person has merged from a fork, of which others wrote every word", () => {
      const history = new RestoredHistory();
      history.act({ kind: 0, at: 0, size: 1, writer: 0 });
      const fork = history.fork(1);
      fork.sync(0);
      fork.act({ kind: 0, at: 1, size: 1, writer: 0 });
      history.merge(1, fork);
      history.sync(1);
      history.act({ kind: 0, at: 2, size: 1, writer: 1 });
      const { timeline } = history;
      history.restore(2, {
        kind: "author",
        timeline,
        author: "Ben",
        from: 0,
        to: timeline.length - 1,
      });
      const authors = typedLetters(history.text).map((letter) => history.typist.get(letter));
      expect(authors).toEqual(["Ana", "Ana", "Ana", "Ana"]);
    });
  },
);
