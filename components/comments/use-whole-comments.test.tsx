import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { RestrictedComments } from "@/machines/restricted-comments";
import { silentRoot } from "@/components/ui/silent-root.fixture";
import { useWholeComments } from "./use-whole-comments";

let root: Awaited<ReturnType<typeof silentRoot>>;
const rendered = vi.fn((_comments: RestrictedComments | null) => undefined);
const shown = () => rendered.mock.lastCall?.[0];
const answers: ((answer: Response) => void)[] = [];
const asked = vi.fn((_path: string) => new Promise<Response>((settle) => answers.push(settle)));

beforeEach(async () => {
  root = await silentRoot();
  vi.stubGlobal("fetch", asked);
});
afterEach(async () => {
  await root.end();
  asked.mockClear();
  answers.length = 0;
});

function Page({ first }: { first: RestrictedComments | null }) {
  rendered(useWholeComments("pier", first));
  return null;
}

const comments = (version: number, isWhole: boolean): RestrictedComments => ({
  version,
  textVersion: version,
  state: "",
  threads: [],
  comments: [],
  isWhole,
});
const answer = (whole: RestrictedComments) =>
  act(async () => answers.shift()?.(Response.json(whole)));

it("[GRADE-9] loads all comments if the page has only the newest, and shows the known ones meanwhile", async () => {
  await root.render(<Page first={comments(4, false)} />);
  expect(asked.mock.calls).toEqual([["/d/pier/comments"]]);
  expect(shown()).toEqual(comments(4, false));
  await answer(comments(4, true));
  expect(shown()).toEqual(comments(4, true));

  await root.render(<Page first={comments(5, false)} />);
  expect(shown()).toEqual(comments(4, true));
  expect(asked).toHaveBeenCalledTimes(2);
  await answer(comments(6, true));
  expect(shown()).toEqual(comments(6, true));
});

it("[GRADE-9] requests nothing if the page has all comments or may show none", async () => {
  await root.render(<Page first={comments(4, true)} />);
  expect(shown()).toEqual(comments(4, true));
  await root.render(<Page first={null} />);
  expect(shown()).toBeNull();
  expect(asked).not.toHaveBeenCalled();
});
