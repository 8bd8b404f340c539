import { expect, it } from "vitest";
import { logLine } from "./log-line";

it("[RT-95] a topic can neither forge a line of the log nor steer a terminal", () => {
  expect(logLine("refused room:1\nReady on http://evil.example")).toBe(
    "refused room:1\\u{a}Ready on http://evil.example",
  );
  expect(logLine("refused \u001b[2J\u202egnp.exe\u2028x\r")).toBe(
    "refused \\u{1b}[2J\\u{202e}gnp.exe\\u{2028}x\\u{d}",
  );
  expect(logLine("x".repeat(100_000)).length).toBeLessThan(5_000);
});

it("[RT-95] a stack trace keeps its lines, and text its letters", () => {
  const trace = "Error: nö – 日本\n    at join (join.ts:1:2)\n    at open (open.ts:3:4)";
  expect(logLine(trace)).toBe(trace);
});
