import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { pageStyle } from "./final-text";

it("[BUNDLE-16] the policy of a text lets in its own style", () => {
  expect(createHash("sha256").update(pageStyle.text).digest("base64")).toBe(pageStyle.hash);
});
