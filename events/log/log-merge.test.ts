import { expect, it } from "vitest";
import { merge, startLog } from "./log-merge";
import type { Rules, StreamLog } from "./log-merge";

type Event = { id: string; version: number };
type State = readonly string[];
type Log = StreamLog<State, { id: string }>;

const rulesOf = (legal: (state: State) => boolean): Rules<State, { id: string }, Event> => ({
  judge: (state) =>
    legal(state)
      ? { ok: true, toPhase: "open" }
      : { ok: false, refusal: { name: "illegal-transition", detail: "" } },
  optimistic: (state, { id }) => [...state, id],
  fold: (state, { id }) => [...state, id],
});
const anything = rulesOf(() => true);
const empty: Log = startLog(0, []);

it("[MERGE-5] settles a proposal whose ruling comes after a projection that holds it", () => {
  const proposed = merge(empty, { type: "proposed", proposal: { id: "mine" } }, anything);
  const projected = merge(
    proposed,
    { type: "projected", version: 2, state: ["theirs", "mine"] },
    anything,
  );
  const settled = merge(projected, { type: "ruled", event: { id: "mine", version: 2 } }, anything);
  expect(settled).toMatchObject({ version: 2, pending: [], dropped: [], view: ["theirs", "mine"] });
});

it("[MERGE-4] takes back that it dropped a proposal once the server accepts it under a newer law", () => {
  const strict = rulesOf((state) => state.length === 0);
  const proposed = merge(empty, { type: "proposed", proposal: { id: "mine" } }, strict);
  const overtaken = merge(proposed, { type: "ruled", event: { id: "theirs", version: 1 } }, strict);
  expect(overtaken.dropped.map(({ proposal }) => proposal.id)).toEqual(["mine"]);
  const ruled = merge(overtaken, { type: "ruled", event: { id: "mine", version: 2 } }, strict);
  expect(ruled).toMatchObject({ version: 2, dropped: [], view: ["theirs", "mine"] });
});

it("[MERGE-3] returns the same object for an input without news", () => {
  const one = merge(empty, { type: "ruled", event: { id: "a", version: 1 } }, anything);
  expect(merge(one, { type: "ruled", event: { id: "a", version: 1 } }, anything)).toBe(one);
  expect(
    merge(
      one,
      { type: "refused", id: "nobody", refusal: { name: "too-large", detail: "" } },
      anything,
    ),
  ).toBe(one);
  expect(merge(one, { type: "projected", version: 1, state: ["other"] }, anything)).toBe(one);
});

it("[MERGE-4] remembers the newest thousand proposals that it dropped", () => {
  let log = empty;
  for (let at = 0; at < 1_200; at += 1) {
    const id = String(at);
    const refusal = { name: "not-permitted", detail: "" } as const;
    log = merge(log, { type: "proposed", proposal: { id } }, anything);
    log = merge(log, { type: "refused", id, refusal }, anything);
    expect(log.dropped.at(-1)?.proposal.id).toBe(id);
  }
  expect(log.dropped).toHaveLength(1_000);
});
