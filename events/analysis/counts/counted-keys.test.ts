import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountOfChanges } from "@/events/analysis/account-of-changes";
import { absenceOf } from "@/events/analysis/catch-up";
import { groupChangesBefore } from "@/events/analysis/group-change";
import { ownWriting } from "@/events/analysis/own-writing";
import { searchEntries } from "@/events/analysis/search-index/search-entries";
import { linesOfSession } from "@/events/analysis/change-lines/change-lines";
import { statisticsOf } from "@/events/analysis/statistics";
import { countWords } from "@/events/content/word-count";
import { cases } from "@/events/core/cases.fixture";
import {
  RestoredHistory,
  typedLetters,
  writers,
} from "@/events/revisions/restored-history.fixture";

/** A pause, in milliseconds, that begins a new session. */
const pause = 2 * 3_600_000;

const keys = fc.record({
  act: fc.constant("keys" as const),
  writer: fc.nat(2),
  kind: fc.nat(7),
  at: fc.nat(40),
  size: fc.nat(12),
  after: fc.constantFrom(160, 160, 160, pause),
});
const restoring = fc.record({
  act: fc.constantFrom("restore" as const, "author" as const, "undo" as const),
  writer: fc.nat(2),
  at: fc.nat(),
  to: fc.nat(),
  after: fc.constantFrom(160, pause),
});
const steps = fc.array(
  fc.oneof({ arbitrary: keys, weight: 3 }, { arbitrary: restoring, weight: 1 }),
  {
    minLength: 4,
    maxLength: 24,
  },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

type Key = { name: string; session: number };

/**
 * Observes three keyboards: the typist of each letter, and every deletion by a key with its
 * session.
 */
class KeyWatcher {
  readonly history = new RestoredHistory();
  readonly typed = new Map<string, Key>();
  readonly deletions: (Key & { letter: string })[] = [];

  follow(step: Step): void {
    const { history } = this;
    if (step.act === "keys") return this.press(step);
    const { timeline, restores } = history;
    const index = step.at % timeline.length;
    const [from, to] = [index, Math.min(timeline.length - 1, index + (step.to % 8))];
    const author = writers[step.to % 3] ?? "Ana";
    const last = restores.at(-1 - (step.to % 2));
    if (step.act === "undo") {
      if (last !== undefined) history.undo(step.writer, last);
    } else
      history.restore(
        step.writer,
        step.act === "restore"
          ? { kind: "revision", timeline, index }
          : { kind: "author", timeline, author, from, to },
        step.after,
      );
  }

  private press(step: Step & { act: "keys" }): void {
    const { history } = this;
    const name = writers[step.writer] ?? "Ana";
    history.sync(step.writer);
    const before = typedLetters(history.text);
    history.act(step, step.after);
    const { timeline } = history;
    const session = timeline.timingMap.sessionOf(timeline.length - 1);
    for (const letter of history.typedHere)
      if (!this.typed.has(letter)) this.typed.set(letter, { name, session });
    const now = new Set(typedLetters(history.text));
    for (const letter of before)
      if (!now.has(letter)) this.deletions.push({ letter, name, session });
  }

  /** Returns the letters that a person wrote and did not delete again before a pause. */
  written(name: string): string[] {
    const standing = new Set(typedLetters(this.history.text));
    return [...this.typed].flatMap(([letter, key]) => {
      const last = this.deletions.findLast((each) => each.letter === letter);
      const isTakenBack =
        !standing.has(letter) && last?.name === key.name && last.session === key.session;
      return key.name === name && !isTakenBack ? [letter] : [];
    });
  }

  /** Returns the letters that a person deleted, except the ones that they typed in that session. */
  deleted(name: string): string[] {
    return this.deletions.flatMap(({ letter, name: by, session }) => {
      const typed = this.typed.get(letter);
      const isOwn = typed?.name === by && typed.session === session;
      return by === name && !isOwn ? [letter] : [];
    });
  }
}

const sorted = (letters: readonly string[]) => letters.toSorted().join("");

describe("counts of written and deleted words", () => {
  it("[UNDERSTAND-24] match the typed and deleted keys, despite restores, reverts and undo", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const watcher = new KeyWatcher();
        for (const step of all) watcher.follow(step);
        const { timeline } = watcher.history;
        const last = timeline.length - 1;
        const account = accountOfChanges(timeline, { after: -1, to: last });
        const { authors } = statisticsOf(timeline, last);
        for (const [author, name] of timeline.authors.entries()) {
          const own = account.filter((entry) => entry.author === author);
          const [added, removed] = [
            own.flatMap(({ addedText }) => addedText),
            own.flatMap(({ removedText }) => removedText),
          ];
          expect(sorted(typedLetters(added.join(""))), `${name} wrote`).toBe(
            sorted(watcher.written(name)),
          );
          expect(sorted(typedLetters(removed.join(""))), `${name} deleted`).toBe(
            sorted(watcher.deleted(name)),
          );
          const counted = authors.find((each) => each.author === author);
          const words = (texts: string[]) => texts.reduce((sum, text) => sum + countWords(text), 0);
          expect([counted?.added, counted?.removed]).toEqual([words(added), words(removed)]);
        }
      }),
      { numRuns: cases(75) },
    );
  });

  it("[UNDERSTAND-24] are zero for a person who only restores, in every list of writers", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const watcher = new KeyWatcher();
        const [ana, ben, carol] = [0, 1, 2];
        for (const step of all) {
          const writer = step.act === "keys" ? [ana, ben][step.writer % 2] : carol;
          watcher.follow({ ...step, writer: writer ?? ana });
        }
        const { timeline, rows } = watcher.history;
        const last = timeline.length - 1;
        const author = timeline.authors.indexOf("Carol");
        if (author < 0) return;
        const lines = timeline.timingMap.sessions
          .flatMap((_, session) => linesOfSession(timeline, session))
          .filter(({ actorId }) => actorId === "Carol");
        expect(lines.every(({ added, removed }) => added === 0 && removed === 0)).toBe(true);
        expect(statisticsOf(timeline, last).authors.find((each) => each.author === author)).toEqual(
          { author, active: 0, added: 0, removed: 0, atOnce: 0, share: 0 },
        );
        const absence = absenceOf(rows, "Nobody").find(({ actorId }) => actorId === "Carol");
        expect(absence?.words ?? 0).toBe(0);
        expect(ownWriting(timeline, "Carol")).toEqual([]);
        const found = searchEntries(timeline).filter(({ kind }) => kind === "text");
        expect(found.flatMap(({ authors }) => authors)).not.toContain("Carol");
        const notes = groupChangesBefore(timeline, last, 6).filter(
          ({ to }) => timeline.revision(to).actorId === "Carol",
        );
        expect(notes.every(({ excerpt, moved }) => excerpt.length === 0 && moved !== null)).toBe(
          true,
        );
      }),
      { numRuns: cases(60) },
    );
  });
});
