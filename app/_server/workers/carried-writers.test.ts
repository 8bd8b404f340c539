import { expect, it } from "vitest";
import type { Rows } from "@/events/read-models/rows";
import { carriedWriters } from "./carried-writers";

const [parent, older, secret] = ["parent", "older", "secret"];

/** Creates a client for the documents that the caller may read, and records its requests. */
function clientOf(documents: Record<string, object[]>) {
  const asked: unknown[] = [];
  const rpc = (_name: string, { stream }: { stream: string }) => {
    asked.push(stream);
    return Promise.resolve({ data: documents[stream] ?? [], error: null, status: 200 });
  };
  // The code under test calls only `rpc`.
  const client = { rpc } as unknown as Pick<Rows, "rpc">;
  return { client, asked };
}

it("[FORK-13] names the writers of copied text through every document that copied it", async () => {
  const { client } = clientOf({
    [parent]: [
      { clientId: 1, actorId: "Ana", version: 2 },
      { clientId: 2, actorId: "Ben", version: 3 },
      { clientId: 3, actorId: "Ben", version: 4, source: older },
      { clientId: 4, actorId: "Mallory", version: 9 },
    ],
    [older]: [{ clientId: 3, actorId: "Carol", version: 2 }],
  });
  const owners = [1, 2, 3].map((clientId) => [clientId, `carried:${parent}`] as const);
  expect(await carriedWriters(client, [[7, "Dan"], ...owners])).toEqual(["Ana", "Ben", "Carol"]);
});

it("[FORK-13] sends no request for a document without copies, and names no person hidden from the reader", async () => {
  const { client, asked } = clientOf({});
  expect(await carriedWriters(client, [[7, "Dan"]])).toEqual([]);
  expect(asked).toEqual([]);
  expect(await carriedWriters(client, [[8, `carried:${secret}`]])).toEqual([]);
});
