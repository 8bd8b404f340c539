import { expect, it } from "vitest";
import { peopleOf, writersOf } from "@/events/realtime/presence-list";
import { byDocument, whoIsOnline } from "./online";

const ana = { userId: "a", name: "Ana", color: 8 };
const ben = { userId: "b", name: "Ben", color: 0 };
const people = new Map([ana, ben].map((person) => [person.userId, person]));
let tabs = 0;
const presenceOf = (userId: string, payload: unknown) => ({
  key: `${userId}:${(tabs += 1)}`,
  payload,
});

it("[WS-1] shows a person with two tabs once, in the active tab’s document, since the first tab", () => {
  const online = whoIsOnline(
    [
      presenceOf("b", { documentId: "d1", state: "idle", since: 5 }),
      presenceOf("a", { documentId: null, state: "active", since: 9 }),
      presenceOf("b", { documentId: "d2", state: "active", since: 7 }),
    ],
    people,
  );
  expect(online).toEqual([
    { ...ben, document: "d2", idle: false, since: 5 },
    { ...ana, document: null, idle: false, since: 9 },
  ]);
});

it("[WS-2] takes names and colours from the members, and drops non-members", () => {
  const entries = [
    presenceOf("m", { userId: "a", name: "Ana", color: 1 }),
    presenceOf("a", { name: "Root", color: 3, since: 1 }),
    presenceOf("b", "noise"),
    presenceOf("b", null),
  ];
  expect(whoIsOnline(entries, people)).toEqual([{ ...ana, document: null, idle: false, since: 1 }]);
});

it("[PRES-2] ignores the user id that an entry’s payload claims", () => {
  const entries = [
    presenceOf("b", { userId: "a", documentId: "d1", since: 1 }),
    { key: "raw:a", payload: { userId: "a", since: 2 } },
  ];
  expect(whoIsOnline(entries, people)).toEqual([{ ...ben, document: "d1", idle: false, since: 1 }]);
  expect(peopleOf(entries).map(({ userId }) => userId)).toEqual(["b", "raw"]);
  expect([...writersOf(entries).silent]).toEqual(["b", "raw"]);
});

it("a person is idle if every tab is, and stays in their last document", () => {
  const entries = [
    presenceOf("a", { documentId: "d1", state: "idle" }),
    presenceOf("a", { state: "away" }),
  ];
  expect(whoIsOnline(entries, people)).toEqual([{ ...ana, document: "d1", idle: true, since: 0 }]);
});

it("groups people by document", () => {
  const online = whoIsOnline(
    [
      presenceOf("a", { documentId: "d1", since: 1 }),
      presenceOf("b", { documentId: "d1", since: 2 }),
    ],
    people,
  );
  expect([...byDocument(online)].map(([id, there]) => [id, there.map(({ name }) => name)])).toEqual(
    [["d1", ["Ana", "Ben"]]],
  );
});
