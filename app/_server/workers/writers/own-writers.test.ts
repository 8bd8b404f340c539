import { expect, it } from "vitest";
import type { Rows } from "@/events/read-models/rows";
import { ownWriters } from "./own-writers";

/** Creates a client for one document's events, which answers queries for the first match. */
function clientOf(events: readonly Record<string, string>[], heard = (_actor: string) => {}) {
  const from = () => {
    const asked: [string, string][] = [];
    const found = () =>
      events.filter((each) => asked.every(([name, value]) => each[name] === value));
    const query = {
      select: () => query,
      order: () => query,
      eq: (name: string, value: string) => {
        asked.push([name, value]);
        if (name === "actor_id") heard(value);
        return query;
      },
      limit: () => Promise.resolve({ data: found(), error: null }),
    };
    return query;
  };
  // The code under test calls only `from`.
  return { from } as unknown as Pick<Rows, "from">;
}

const event = (actor: string, type: string, document = "minutes") => ({
  stream_id: document,
  stream_kind: "document",
  actor_id: actor,
  type: `document.${type}`,
});

it("[UNDERSTAND-20] names the people who typed in a document, not those who restored or copied text", async () => {
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

it("reads the log once for a person who wrote, and again for one who has not yet", async () => {
  const heard: string[] = [];
  const client = clientOf([event("Ana", "edited", "minutes of one")], (actor) => heard.push(actor));
  const owners = [
    [1, "Ana"],
    [2, "Ben"],
  ] as const;
  for (let page = 0; page < 2; page += 1)
    expect(await ownWriters(client, "minutes of one", owners)).toEqual(["Ana"]);
  expect(heard).toEqual(["Ana", "Ben", "Ben"]);
});
