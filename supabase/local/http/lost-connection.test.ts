import { expect, it } from "vitest";
import { isOfRecoveringDatabase, isWriteToLostConnection } from "./lost-connection";

it("[START-24] a write to a lost database connection is distinguished from other faults", () => {
  const socket: { write(): void } | null = JSON.parse("null");
  const caught = (work: () => void): Error => {
    try {
      work();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error("It threw nothing");
  };
  // The name of the postgres.js function that flushes its buffer.
  const nextWrite = () => socket!.write();
  const other = () => socket!.write();
  expect(isWriteToLostConnection(caught(nextWrite))).toBe(true);
  expect(isWriteToLostConnection(caught(other))).toBe(false);
  expect(isWriteToLostConnection(new Error("at nextWrite"))).toBe(false);
});

it("[START-24] a query that a recovering database refused is distinguished from other faults", () => {
  expect(isOfRecoveringDatabase({ name: "PostgresError", code: "57P03" })).toBe(true);
  expect(isOfRecoveringDatabase({ name: "PostgresError", code: "42P01" })).toBe(false);
  expect(isOfRecoveringDatabase({ name: "Error", code: "57P03" })).toBe(false);
});
