import { expect, it } from "vitest";
import type { Rows } from "@/events/read-models/rows";
import { ownWriters } from "./own-writers";

/** A client of one document's events, of which it is asked for the first that fits. */
function clientOf(events: readonly Record<string, string>[]) {
  const from = () => {
    const asked: [string, string][] = [];
    const found = () =>
      events.filter((each) => asked.every(([name, value]) => each[name] === value));
    const query = {
      select: () => query,
      order: () => query,
      eq: (name: string, value: string) => {
        asked.push([name, value]);
        return query;
      },
      limit: () => Promise.resolve({ data: found(), error: null }),
    };
    return query;
  };
  // Of a client no more is asked.
  return { from } as unknown as Pick<Rows, "from">;
}

const event = (actor: string, type: string) => ({
  stream_id: "minutes",
  stream_kind: "document",
  actor_id: actor,
  type: `document.${type}`,
});

it("[UNDERSTAND-20] names who typed in a document, and leaves out who only restored, or brought words from elsewhere", async () => {
  const client = clientOf([
    event("Ana", "created"),
    event("Ana", "edited"),
    event("Ben", "reverted"),
    event("Carol", "reworked"),
    event("Carol", "edited"),
  ]);
  const owners = [
    [1, "Ana"],
    [2, "Ben"],
    [3, "Carol"],
    [4, "Carol"],
    [5, "carried:parent"],
  ] as const;
  expect(await ownWriters(client, "minutes", owners)).toEqual(["Ana", "Carol"]);
});
