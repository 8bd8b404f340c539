import { describe, expect, it } from "vitest";
import { StoreFault } from "@/events/log/store";
import { failureWords, unsureWords } from "./failure-words";

const chunk = Object.assign(new Error("Loading chunk 12 failed."), { name: "ChunkLoadError" });
const outcome = "Nothing was merged";

describe("[ACT-12] failures in words", () => {
  it.each([
    [
      "no answer, without a network",
      new StoreFault("Failed to fetch", 0),
      false,
      "You are offline. Nothing was merged; try again when you are back online.",
    ],
    [
      "no answer, with a network",
      new StoreFault("Failed to fetch", 0),
      true,
      "The server could not be reached. Nothing was merged; try again in a moment.",
    ],
    [
      "code that did not come",
      chunk,
      true,
      "A part of this page could not be fetched. Nothing was merged; reload the page and try again.",
    ],
    [
      "code that did not come, as Chromium says it",
      new TypeError("Failed to fetch dynamically imported module: /a.js"),
      true,
      "A part of this page could not be fetched. Nothing was merged; reload the page and try again.",
    ],
    [
      "code that did not come, without a network",
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
      "a right that went",
      new StoreFault("permission denied", 403),
      true,
      "You have no access to this any more. Nothing was merged; ask an owner of the workspace.",
    ],
    [
      "something that is not there",
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
      "a server that is not well",
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
      "a fault of ours",
      new TypeError("undefined is not a function"),
      true,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
    [
      "a fault of ours, without a network",
      new RangeError("invalid array length"),
      false,
      "This failed, through no mistake of yours. Nothing was merged; reload the page and try again.",
    ],
    [
      "what is no error at all",
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
