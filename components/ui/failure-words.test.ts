import { describe, expect, it } from "vitest";
import { StoreFault } from "@/events/log/store";
import { failureWords, unsureWords } from "./failure-words";

const chunk = Object.assign(new Error("Loading chunk 12 failed."), { name: "ChunkLoadError" });
const outcome = "Nothing was merged";

describe("[ACT-12] failures in words", () => {
  it.each([
    [
      "no response while offline",
      new StoreFault("Failed to fetch", 0),
      false,
      "You are offline. Nothing was merged; try again when you are back online.",
    ],
    [
      "no response while online",
      new StoreFault("Failed to fetch", 0),
      true,
      "The server could not be reached. Nothing was merged; try again in a moment.",
    ],
    [
      "a chunk that did not load",
      chunk,
      true,
      "A part of this page could not be fetched. Nothing was merged; reload the page and try again.",
    ],
    [
      "a chunk that did not load, in Chromium’s words",
      new TypeError("Failed to fetch dynamically imported module: /a.js"),
      true,
      "A part of this page could not be fetched. Nothing was merged; reload the page and try again.",
    ],
    [
      "a chunk that did not load while offline",
      chunk,
      false,
      "You are offline. Nothing was merged; try again when you are back online.",
    ],
    [
      "a session that ended",
      new StoreFault("JWT expired", 401),
      true,
      "You have been signed out. Nothing was merged; sign in and try again.",
    ],
    [
      "a lost right",
      new StoreFault("permission denied", 403),
      true,
      "You have no access to this any more. Nothing was merged; ask an owner of the workspace.",
    ],
    [
      "a missing object",
      new StoreFault("not found", 404),
      true,
      "You have no access to this any more. Nothing was merged; ask an owner of the workspace.",
    ],
    [
      "too much",
      new StoreFault("Payload Too Large", 413),
      true,
      "This is more than the server takes at once. Nothing was merged; try a smaller piece.",
    ],
    [
      "too often",
      new StoreFault("Too Many Requests", 429),
      true,
      "These were too many tries in a short time. Nothing was merged; wait a minute and try again.",
    ],
    [
      "a failing server",
      new StoreFault("upstream", 503),
      true,
      "The server could not do this now. Nothing was merged; try again in a moment.",
    ],
    [
      "an unreadable response",
      new StoreFault("the response is not an array", 200),
      true,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
    [
      "a bug",
      new TypeError("undefined is not a function"),
      true,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
    [
      "a bug while offline",
      new RangeError("invalid array length"),
      false,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
    [
      "a value that is not an Error",
      "oops",
      true,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
  ])("%s", (_what, fault, online, words) => {
    expect(failureWords(fault, outcome, online)).toBe(words);
  });

  it("says only of unanswered requests that they may have been done", () => {
    const unsure = /may have been done all the same/;
    expect(unsureWords(new StoreFault("Failed to fetch", 0), outcome, true)).toMatch(unsure);
    expect(unsureWords(new StoreFault("gateway timeout", 504), outcome, true)).toMatch(unsure);
    for (const fault of [
      new StoreFault("Failed to fetch", 401),
      new StoreFault("slow down", 429),
      chunk,
      new Error("ours"),
    ]) {
      expect(unsureWords(fault, outcome, true)).toBe(failureWords(fault, outcome, true));
    }
    expect(unsureWords(new StoreFault("Failed to fetch", 0), outcome, false)).toBe(
      failureWords(new StoreFault("", 0), outcome, false),
    );
  });
});
