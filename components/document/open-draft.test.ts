import { expect, it } from "vitest";
import { draftStatus } from "./open-draft";

it("[OFFLINE-1] a page that opens without a network says so before anything is written", () => {
  expect(draftStatus({ count: 0, stored: true }, true)).toBeNull();
  expect(draftStatus({ count: 0, stored: false }, false)).toMatchObject({
    label: "Offline",
    sentence: expect.stringContaining("kept on this device"),
  });
  expect(draftStatus({ count: 1, stored: false }, false)?.sentence).toContain("Keep this tab open");
  expect(draftStatus({ count: 1, stored: false }, true)?.label).toBe("Saving…");
});
