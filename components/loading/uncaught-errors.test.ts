import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sendErrorsTo } from "@/events/core/error-report";
import { knownRelease } from "./release";
import { reportUncaught } from "./uncaught-errors";

/** An ErrorEvent for Node, which has none, with the fields that are read. */
class PageError extends Event {
  readonly error: unknown;
  readonly message: string;
  constructor(error: unknown, message: string) {
    super("error", { cancelable: true });
    this.error = error;
    this.message = message;
  }
}

const sink = vi.fn();
let undo = () => {};
beforeEach(() => {
  vi.stubGlobal("ErrorEvent", PageError);
  undo = sendErrorsTo(sink);
});
afterEach(() => {
  undo();
  sink.mockReset();
  vi.unstubAllGlobals();
});

const rejection = (reason: unknown) =>
  Object.assign(new Event("unhandledrejection", { cancelable: true }), { reason });

it("reports errors and rejections without preventing their default", () => {
  const page = new EventTarget();
  reportUncaught(page);
  const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
  expect(page.dispatchEvent(new PageError(thrown, ""))).toBe(true);
  expect(page.dispatchEvent(rejection(rejected))).toBe(true);
  expect(sink.mock.calls).toEqual([
    [thrown, { during: "a script of the page", kind: "uncaught" }],
    [rejected, { during: "a promise of the page", kind: "uncaught" }],
  ]);
});

it("reports the message of a cross-origin error, and no failed picture", () => {
  const page = new EventTarget();
  reportUncaught(page);
  page.dispatchEvent(new PageError(null, "Script error."));
  page.dispatchEvent(new Event("error"));
  expect(sink).toHaveBeenCalledOnce();
  expect(sink.mock.calls[0]?.[0]).toEqual(new Error("Script error."));
});

it("[OFFLINE-5] reports a missing part when an uncaught chunk fails to load", () => {
  const page = new EventTarget();
  reportUncaught(page);
  page.dispatchEvent(rejection(new Error("something else")));
  expect(knownRelease()).toBe("current");
  const missing = Object.assign(new Error("Failed to load chunk"), { name: "ChunkLoadError" });
  page.dispatchEvent(rejection(missing));
  expect(knownRelease()).toBe("part-missing");
});

it("is silent after its end", () => {
  const page = new EventTarget();
  reportUncaught(page)();
  page.dispatchEvent(rejection(new Error("late")));
  expect(sink).not.toHaveBeenCalled();
});
