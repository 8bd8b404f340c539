import { afterAll, beforeAll, expect, test } from "vitest";
import { dearPlace, fullPages, openPages } from "@/tests/support/dear/dear-places";
import type { DearPlace } from "@/tests/support/dear/dear-places";
import type { DearRequest } from "@/tests/support/dear/dear-requests";
import { mainThreadWatch } from "@/tests/support/main-thread/main-thread";
import { pageAs } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import type { Stack } from "@/tests/support/product/stack";

/** The most CPU time of one turn of the main process, in ms. */
const longestTurn = 50;
const rounds = 4;
const thread = mainThreadWatch();
let stack: Stack;
let asMallory: typeof fetch;
let place: DearPlace;

beforeAll(async () => {
  stack = await startStack({ env: { WARM_UP: "1", ...thread.env } });
  const mallory = await signUp(stack, "Mallory");
  place = await dearPlace(mallory, stack.dataDir, 300);
  asMallory = await pageAs(mallory);
}, 300_000);
afterAll(() => stack.dispose());

async function ask({ sender, path }: DearRequest): Promise<number> {
  const fetched = sender === "account" ? asMallory : fetch;
  const answer = await fetched(stack.url + path, { redirect: "manual" });
  await answer.arrayBuffer();
  return answer.status;
}

const all = () => [...fullPages(place), ...openPages];
const names = [...fullPages({ workspace: "", document: "" }), ...openPages].map(({ name }) => name);

test.each(names)("[HOSTILE-6] blocks the main thread for at most 50 ms: %s", async (name) => {
  const request = all().find((each) => each.name === name);
  if (!request) throw new Error(`There is no request ${name}.`);
  const turns: number[] = [];
  let status = 0;
  // The first request compiles the page's code, and a loaded machine may slow down any request.
  for (let round = 0; round < rounds && !(Math.min(...turns) < longestTurn); round += 1) {
    await thread.since();
    status = await ask(request);
    turns.push((await thread.since()).longest);
  }
  expect(status).toBeLessThan(500);
  expect(Math.min(...turns)).toBeLessThan(longestTurn);
});
