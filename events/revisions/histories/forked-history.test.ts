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
import { anyFamilySteps, anyMergedSteps, familyOf } from "./steps.fixture";

const anySteps = fc.oneof(anyFamilySteps, anyMergedSteps);

describe("authorship through forks and merges of restored documents", { timeout: 120_000 }, () => {
  it("[FORK-9] [UNDERSTAND-20] names the typist as the one author of every letter in every document", async () => {
    let carried = 0;
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
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

  it("[ACT-2] reverts every letter that a person typed in a document, and none that others typed or copied in", () => {
    fc.assert(
      fc.property(anySteps, fc.nat(2), fc.nat(2), (steps, of, which) => {
        const documents = familyOf(steps);
        const history = documents[which % documents.length] ?? new RestoredHistory();
        const author = writers[of] ?? "Ana";
        const { timeline } = history;
        // A single event is reverted as its undo would revert it.
        fc.pre(timeline.length > 2 && timeline.revision(1).version < timeline.version);
        const before = typedLetters(history.text);
        const to = timeline.length - 1;
        history.restore(0, { kind: "author", timeline, author, from: 0, to });
        const after = typedLetters(history.text);
        const isTheirs = (letter: string) =>
          history.typist.get(letter) === author && history.typedHere.has(letter);
        expect(before.filter((letter) => !isTheirs(letter) && !after.includes(letter))).toEqual([]);
        // If a merge removed and reinserted text whose words have changed meanwhile, some of its
        // letters are not found.
        expect(after.filter((letter) => isTheirs(letter) && !wasCarried(timeline, letter))).toEqual(
          [],
        );
        const returned = after.filter((letter) => !before.includes(letter));
        expect(returned.filter((letter) => !takenOutBy(timeline, letter).has(author))).toEqual([]);
      }),
      { numRuns: cases(90) },
    );
  });

  const inFork = {
    "a paragraph that was parted": (fork: RestoredHistory) => {
      fork.sync(2);
      fork.act({ kind: 9, at: 0, size: 1, writer: 2 });
    },
    "a paragraph that was made another kind": (fork: RestoredHistory) => {
      fork.sync(2);
      fork.act({ kind: 11, at: 0, size: 1, writer: 2 });
    },
    "words that were taken out and restored": (fork: RestoredHistory) => {
      const { timeline } = fork;
      fork.restore(2, { kind: "revision", timeline, index: 0 });
      fork.restore(2, { kind: "revision", timeline, index: timeline.length - 1 });
    },
    "restored words with others between them": (fork: RestoredHistory) => {
      const { timeline } = fork;
      fork.restore(2, { kind: "revision", timeline, index: 0 });
      fork.restore(2, { kind: "revision", timeline, index: timeline.length - 1 });
      fork.sync(1);
      fork.act({ kind: 1, at: 0, size: 1, writer: 1 });
    },
  };
  it.each(Object.entries(inFork))(
    "[ACT-2] reverts what a person typed before a fork, even if the fork brings it again: %s",
    (_, change) => {
      const history = new RestoredHistory();
      history.act({ kind: 0, at: 0, size: 1, writer: 0 });
      history.sync(1);
      history.act({ kind: 0, at: 1, size: 1, writer: 1 });
      const fork = history.fork(1);
      change(fork);
      history.merge(1, fork);
      const { timeline, text } = history;
      const before = typedLetters(text);
      const to = timeline.length - 1;
      expect(before.filter((letter) => history.typist.get(letter) === "Ana")).toHaveLength(2);
      const request = { kind: "author" as const, timeline, author: "Ana", from: 0, to };
      const reverted = history.restore(2, request) ?? 0;
      expect(typedLetters(history.text)).toEqual(
        before.filter((letter) => history.typist.get(letter) !== "Ana"),
      );
      history.undo(2, reverted);
      expect(history.text).toBe(text);
    },
  );

  it("[FORK-9] names the typist of restored and split words after a fork", async () => {
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

  it("[ACT-2] keeps text that a person merged from a fork, if others wrote every word", () => {
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
});
