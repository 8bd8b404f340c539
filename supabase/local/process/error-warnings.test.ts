import { afterEach, expect, test, vi } from "vitest";
import { passErrorWarnings } from "./error-warnings";

const { emitWarning } = process;
afterEach(() => {
  process.emitWarning = emitWarning;
});

test("[START-27] an error passed as a warning is emitted, and does not throw", async () => {
  const texts: string[] = [];
  process.emitWarning = (warning: string | Error) => {
    // Supabase Lite's own `emitWarning` calls this string method too.
    if (!(warning as string).includes("SQLite is an experimental feature"))
      texts.push(String(warning));
  };
  passErrorWarnings();
  const heard = vi.fn();
  process.once("warning", heard);
  const warning = Object.assign(new Error("11 listeners"), { name: "MaxListenersExceededWarning" });
  expect(() => process.emitWarning(warning)).not.toThrow();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith(warning), { timeout: 40_000 });
  process.emitWarning("a text", "DeprecationWarning");
  expect(texts).toEqual(["a text"]);
});
