import { afterEach, describe, expect, test } from "vitest";
import { errorText } from "./error-text";
import { asRequest, openLog, takeConsole } from "./log";
import type { LogFormat, LogLevel } from "./log";

function written(format: LogFormat, level: LogLevel = "info") {
  const lines: string[] = [];
  const log = openLog({ format, level }, (line) => lines.push(line));
  return { log, lines };
}

const originals = { ...console };
afterEach(() => Object.assign(console, originals));

describe("[OPS-4] a line of the log", () => {
  test("is one JSON object with level, time, message and fields", () => {
    const { log, lines } = written("json");
    log("Ready", { port: 3000 });
    log("Lost the database", { level: "error", part: "realtime" });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: "info", time: expect.stringMatching(/^\d{4}-.*Z$/), msg: "Ready", port: 3000 },
      {
        level: "error",
        time: expect.any(String),
        msg: "Lost the database",
        part: "realtime",
      },
    ]);
    expect(lines.every((line) => line.endsWith("}\n") && line.split("\n").length === 2)).toBe(true);
  });

  test("is the message in text form, with its fields in brackets", () => {
    const { log, lines } = written("text");
    log("Ready on http://localhost:3000");
    log("GET /d/1", { level: "warn", status: 500 });
    expect(lines).toEqual(["Ready on http://localhost:3000\n", "warn: GET /d/1 (status=500)\n"]);
  });

  test("below the configured level is not written", () => {
    const { log, lines } = written("json", "warn");
    log("told of", { level: "warn" });
    log("left out");
    log("left out, too", { level: "debug" });
    expect(lines).toHaveLength(1);
  });

  test("carries the id of its request, across asynchronous work", async () => {
    const { log, lines } = written("json");
    await Promise.all(
      ["one", "two"].map((id) =>
        asRequest(id, async () => {
          await new Promise((settle) => setImmediate(settle));
          log(`answering ${id}`);
        }),
      ),
    );
    log("by itself");
    expect(lines.map((line) => JSON.parse(line).request)).toEqual(["one", "two", undefined]);
  });

  test("escapes content that would forge lines or steer a terminal", () => {
    const { log, lines } = written("text");
    log("topic a\nReady on evil\u001b[2J");
    expect(lines).toEqual(["topic a\\u{a}Ready on evil\\u{1b}[2J\n"]);
  });

  test("is written for console output of libraries", () => {
    const { log, lines } = written("json");
    takeConsole(log);
    console.error("It failed:", new RangeError("out of range"));
    console.log("%s of %d", "one", 2);
    // Next logs the error of a page whose caller disconnected. This is not a fault, so it is logged
    // at `debug`.
    console.error(
      "⨯",
      Object.assign(new Error("The caller has disconnected"), { name: "CallerGone" }),
    );
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "error", part: "console", msg: expect.stringContaining("RangeError: out of range") },
      { level: "info", part: "console", msg: "one of 2" },
    ]);
  });
});

describe("[OPS-5] an error in the log", () => {
  test("gives its name, code, place and cause, and quotes nothing", () => {
    const cause = new Error("cannot read 'the words of Ana' of ana@example.com");
    const error = Object.assign(
      new Error('invalid input syntax for type uuid: "the words of Ana"', { cause }),
      {
        code: "22P02",
        detail: "Key (title)=(the words of Ana) exists.",
        query: "the words of Ana",
      },
    );
    const text = errorText(error);
    expect(text).toContain("Error 22P02: invalid input syntax for type uuid: …");
    expect(text).toContain("caused by Error: cannot read … of …");
    expect(text).toMatch(/\n {4}at .*log\.test/);
    expect(text).not.toMatch(/words of Ana|ana@/);
  });

  test("keeps the apostrophes of ordinary sentences", () => {
    expect(errorText(new Error("The server didn't answer, and wasn't asked again"))).toContain(
      "didn't answer, and wasn't asked again",
    );
  });
});
