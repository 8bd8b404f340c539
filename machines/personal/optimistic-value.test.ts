import { expect, it, vi } from "vitest";
import { OptimisticValue } from "./optimistic-value";

type Words = readonly string[];
const adds = (word: string) => (words: Words) => [...words.filter((one) => one !== word), word];
const made = () => new OptimisticValue<Words>(["a"]);

it("[HOME-8] shows a change at once, and notifies subscribers", () => {
  const [words, listener] = [made(), vi.fn()];
  const stop = words.subscribe(listener);
  words.change(adds("b"));
  expect(words.value()).toEqual(["a", "b"]);
  expect(listener).toHaveBeenCalledOnce();
  stop();
  words.change(adds("c"));
  expect(listener).toHaveBeenCalledOnce();
});

it("[HOME-8] keeps a change on top of reads that began before it was recorded", () => {
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

it("[HOME-8] shows a read that began after the change was recorded as it is", () => {
  const words = made();
  words.change(adds("b"))(true);
  const read = words.read();
  expect(words.value()).toEqual(["a", "b"]);
  read(["b", "a"]);
  expect(words.value()).toEqual(["b", "a"]);
});

it("[HOME-8] undoes a refused change, and none before or after it", () => {
  const words = made();
  words.change(adds("b"));
  const refuse = words.change(adds("c"));
  words.change(adds("d"));
  refuse(false);
  expect(words.value()).toEqual(["a", "b", "d"]);
});

it("[HOME-8] shows others' changes beneath its own", () => {
  const words = made();
  words.change(adds("b"));
  words.read()(["x"]);
  expect(words.value()).toEqual(["x", "b"]);
});

it("[HOME-8] shows an earlier read until a later one arrives, and not after it", () => {
  const words = made();
  const [first, second, third] = [words.read(), words.read(), words.read()];
  first(["1"]);
  expect(words.value()).toEqual(["1"]);
  third(["3"]);
  second(["2"]);
  expect(words.value()).toEqual(["3"]);
});
