import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { reportError, sendErrorsTo, tolerate } from "./error-report";

const fault = new Error("it went wrong");

beforeEach(() => {
  vi.spyOn(console, "error").mockReturnValue();
  vi.spyOn(console, "debug").mockReturnValue();
});
afterEach(() => vi.restoreAllMocks());

it("prints what failed as an error, with what was being done", () => {
  reportError(fault, { during: "folding a document", documentId: "d1" });
  expect(console.error).toHaveBeenCalledExactlyOnceWith("folding a document, d1:", fault);
});

it("[HOUSE-10] prints nothing as an error that the caller goes on without", async () => {
  await expect(Promise.reject(fault).catch(tolerate("keeping a copy"))).resolves.toBeUndefined();
  expect(console.error).not.toHaveBeenCalled();
  expect(console.debug).toHaveBeenCalledExactlyOnceWith("keeping a copy:", fault);
});

it("prints what the platform has printed no second time", () => {
  reportError(fault, { during: "a script of the page", kind: "uncaught" });
  expect(console.error).not.toHaveBeenCalled();
  expect(console.debug).not.toHaveBeenCalled();
});

it("gives everything to a service that is plugged in, until it is taken out", () => {
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

it("loses no error to a service that fails itself", () => {
  const broken = new Error("the service is away");
  const undo = sendErrorsTo(() => {
    throw broken;
  });
  expect(() => reportError(fault, { during: "one" })).not.toThrow();
  undo();
  expect(console.error).toHaveBeenCalledWith("reporting an error:", broken);
  expect(console.error).toHaveBeenCalledWith("one:", fault);
});
