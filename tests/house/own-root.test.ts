import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import configOf from "@/next.config";

it("[HOUSE-11] Turbopack's root is this checkout, whatever lock files lie above it", () => {
  const { turbopack } = configOf("phase-production-server");
  expect(turbopack?.root).toBe(fileURLToPath(new URL("../../", import.meta.url)));
});
