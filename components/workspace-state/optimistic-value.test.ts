import { expect, it, vi } from "vitest";
import { ReadGate } from "./read-gate";

function made() {
  const [gate, readAgain] = [new ReadGate(), vi.fn()];
  gate.onStale(readAgain);
  return { gate, readAgain };
}

it("[HOME-8] shows what was read while nothing was written", () => {
  const { gate, readAgain } = made();
  gate.write()();
  const mayShow = gate.read();
  expect(mayShow()).toBe(true);
  expect(readAgain).not.toHaveBeenCalled();
});

it("[HOME-8] shows nothing that was asked for before a change, and reads again once that is recorded", () => {
  const { gate, readAgain } = made();
  const mayShow = gate.read();
  const ended = gate.write();
  expect(mayShow()).toBe(false);
  expect(readAgain).not.toHaveBeenCalled();
  ended();
  expect(readAgain).toHaveBeenCalledOnce();
  expect(gate.read()()).toBe(true);
});

it("[HOME-8] shows nothing that was asked for while a change was being recorded", () => {
  const { gate, readAgain } = made();
  const ended = gate.write();
  const mayShow = gate.read();
  ended();
  expect(readAgain).not.toHaveBeenCalled();
  expect(mayShow()).toBe(false);
  expect(readAgain).toHaveBeenCalledOnce();
});

it("[HOME-8] reads again once, after the last of several changes", () => {
  const { gate, readAgain } = made();
  const mayShow = gate.read();
  const [first, second] = [gate.write(), gate.write()];
  expect(mayShow()).toBe(false);
  first();
  expect(readAgain).not.toHaveBeenCalled();
  second();
  expect(readAgain).toHaveBeenCalledOnce();
});

it("[HOME-8] shows no answer behind one that was asked for later", () => {
  const { gate, readAgain } = made();
  const [first, second] = [gate.read(), gate.read()];
  expect(second()).toBe(true);
  expect(first()).toBe(false);
  expect(readAgain).not.toHaveBeenCalled();
});
