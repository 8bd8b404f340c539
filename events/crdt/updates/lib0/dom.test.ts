import { expect, it } from "vitest";

it("[ACT-17] loads where there is no page, as in the worker that prepares restores", async () => {
  expect(typeof document).toBe("undefined");
  expect((await import("./dom")).doc).toBeUndefined();
});
