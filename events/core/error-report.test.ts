import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportError, sendErrorsTo, tolerate } from "./error-report";

const fault = new Error("it went wrong");

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

it("prints a failure as an error, with the activity that failed", () => {
  reportError(fault, { during: "folding a document", documentId: "d1" });
  expect(console.error).toHaveBeenCalledExactlyOnceWith("folding a document, d1:", fault);
});

it("[HOUSE-10] prints a tolerated failure at debug level, not as an error", async () => {
  await expect(Promise.reject(fault).catch(tolerate("keeping a copy"))).resolves.toBeUndefined();
  expect(console.error).not.toHaveBeenCalled();
  expect(console.debug).toHaveBeenCalledExactlyOnceWith("keeping a copy:", fault);
});

it("does not print an uncaught error again", () => {
  reportError(fault, { during: "a script of the page", kind: "uncaught" });
  expect(console.error).not.toHaveBeenCalled();
  expect(console.debug).not.toHaveBeenCalled();
});

it("sends every error to a plugged-in service until it is removed", () => {
  const sink = vi.fn();
  const undo = sendErrorsTo(sink);
  reportError(fault, { during: "one" });
  tolerate("two")(fault);
  undo();
  reportError(fault, { during: "three" });
  expect(sink.mock.calls).toEqual([
    [fault, { during: "one", kind: "failed" }],
    [fault, { during: "two", kind: "tolerated" }],
  ]);
  expect(console.error).toHaveBeenCalledExactlyOnceWith("three:", fault);
});

it("prints the error if the service itself fails", () => {
  const broken = new Error("the service is away");
  const undo = sendErrorsTo(() => {
    throw broken;
  });
  expect(() => reportError(fault, { during: "one" })).not.toThrow();
  undo();
  expect(console.error).toHaveBeenCalledWith("reporting an error:", broken);
  expect(console.error).toHaveBeenCalledWith("one:", fault);
});
