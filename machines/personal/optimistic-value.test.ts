import { expect, it, vi } from "vitest";
import { OptimisticValue } from "./optimistic-value";

type Words = readonly string[];
const adds = (word: string) => (words: Words) => [...words.filter((one) => one !== word), word];
const made = () => new OptimisticValue<Words>(["a"]);

it("[HOME-8] shows a change at once, and tells of it", () => {
  const [words, listener] = [made(), vi.fn()];
  const stop = words.subscribe(listener);
  words.change(adds("b"));
  expect(words.value()).toEqual(["a", "b"]);
  expect(listener).toHaveBeenCalledOnce();
  stop();
  words.change(adds("c"));
  expect(listener).toHaveBeenCalledOnce();
});

it("[HOME-8] keeps a change on top of what was asked for before it was recorded", () => {
  const words = made();
  const readBefore = words.read();
  const settle = words.change(adds("b"));
  const readMeanwhile = words.read();
  readBefore(["a"]);
  expect(words.value()).toEqual(["a", "b"]);
  settle(true);
  readMeanwhile(["a"]);
  expect(words.value()).toEqual(["a", "b"]);
});

it("[HOME-8] shows what was read after a change was recorded as it is", () => {
  const words = made();
  words.change(adds("b"))(true);
  const read = words.read();
  expect(words.value()).toEqual(["a", "b"]);
  read(["b", "a"]);
  expect(words.value()).toEqual(["b", "a"]);
});

it("[HOME-8] takes back what was refused, and nothing that was changed before or after it", () => {
  const words = made();
  words.change(adds("b"));
  const refuse = words.change(adds("c"));
  words.change(adds("d"));
  refuse(false);
  expect(words.value()).toEqual(["a", "b", "d"]);
});

it("[HOME-8] shows what others changed beneath its own changes", () => {
  const words = made();
  words.change(adds("b"));
  words.read()(["x"]);
  expect(words.value()).toEqual(["x", "b"]);
});

it("[HOME-8] shows what was asked for earlier until there is something later, and not behind that", () => {
  const words = made();
  const [first, second, third] = [words.read(), words.read(), words.read()];
  first(["1"]);
  expect(words.value()).toEqual(["1"]);
  third(["3"]);
  second(["2"]);
  expect(words.value()).toEqual(["3"]);
});
