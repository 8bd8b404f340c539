import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import configOf from "@/next.config";

it("[HOUSE-11] names this checkout as its root, whatever lock files stand in the folders above", () => {
  const { turbopack } = configOf("phase-production-server");
  expect(turbopack?.root).toBe(fileURLToPath(new URL("../../", import.meta.url)));
});
