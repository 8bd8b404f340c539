import { expect, it } from "vitest";
import { RestoredHistory } from "@/events/revisions/restored-history.fixture";
import { firstWritings } from "./first-writings";

it("[UNDERSTAND-20] is a person’s first own words, and absent for a person who only restored", () => {
  const history = new RestoredHistory();
  history.act({ kind: 0, at: 0, size: 1, writer: 0 });
  const { timeline } = history;
  history.restore(1, { kind: "revision", timeline, index: 0 });
  history.restore(2, { kind: "revision", timeline, index: timeline.length - 1 });
  history.sync(2);
  history.act({ kind: 1, at: 0, size: 1, writer: 2 });
  const { timeline: now } = history;
  const firsts = firstWritings(now).map((first, author) => [
    now.authors[author],
    first === Number.POSITIVE_INFINITY ? "never" : now.revision(first).type,
  ]);
  expect(Object.fromEntries(firsts)).toEqual({
    Ana: "document.created",
    Ben: "never",
    Carol: "document.edited",
  });
});
