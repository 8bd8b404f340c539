import { expect, it } from "vitest";
import { isWriteToLostConnection } from "./lost-connection";

it("[START-24] a write to a database connection that is just lost ends no process, and anything else does", () => {
  const socket: { write(): void } | null = JSON.parse("null");
  const caught = (work: () => void): Error => {
    try {
      work();
    } catch (error) {
      if (error instanceof Error) return error;
    }
    throw new Error("It threw nothing");
  };
  // The name of the function in postgres.js that sends what has gathered.
  const nextWrite = () => socket!.write();
  const other = () => socket!.write();
  expect(isWriteToLostConnection(caught(nextWrite))).toBe(true);
  expect(isWriteToLostConnection(caught(other))).toBe(false);
  expect(isWriteToLostConnection(new Error("at nextWrite"))).toBe(false);
});
