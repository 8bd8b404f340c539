import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import {
  isOfRecoveringDatabase,
  isWriteToLostConnection,
} from "./supabase/local/http/lost-connection";
import { longForms } from "./tests/soak/long-forms.mjs";
import { LongestFirst } from "./tests/longest-first";
import { browserCommands } from "./tests/components/support/browser-commands";
import { bundledPackages, onlyBundledPackages } from "./tests/components/support/bundled-packages";
import { presentChromium, switches } from "./tests/support/product/chromium";

const root = fileURLToPath(new URL(".", import.meta.url));
// Vitest's default would leave one of two cores idle. More than two databases or products at once
// only slow each other down.
const maxWorkers = Math.min(2, availableParallelism());
// Product tests mostly wait: for a start, for another client, for a timer.
const waitingWorkers = maxWorkers + 1;
const shared = { resolve: { alias: { "@": root.replace(/\/$/, "") } } };
// Long enough for a slow machine; a fulfilled condition continues at once.
const expect = { poll: { timeout: 40_000 } };
// Tests of the product's time limits, whose outcome other load on the machine would change.
const alone = ["tests/stack/hostile-document.test.ts"];
const chromium = presentChromium();
const setupFiles = ["tests/support/property-seed.ts"];
const browserSetupFiles = [
  "tests/e2e/support/browser/closed-contexts.ts",
  "tests/e2e/support/browser/account-of-failure.ts",
];

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    // Tests that stop a database see the same driver errors that the product handles.
    onUnhandledError: (error) => !isWriteToLostConnection(error) && !isOfRecoveringDatabase(error),
    projects: [
      {
        ...shared,
        test: {
          name: "unit",
          expect,
          setupFiles,
          include: [
            "{app,components,events,machines,supabase}/**/*.test.{ts,tsx}",
            "tests/house/**/*.test.ts",
            "tests/security/words.test.ts",
          ],
          environment: "node",
          // Properties over hundreds of histories are slow on a busy machine.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Loads imported modules once per worker: they took half of the time.
          isolate: false,
          maxWorkers,
        },
      },
      {
        ...shared,
        test: {
          name: "database",
          expect,
          setupFiles,
          include: ["tests/{sql,contract,fuzz}/**/*.test.ts"],
          globalSetup: ["tests/support/database/database-template.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          maxWorkers,
        },
      },
      {
        ...shared,
        test: {
          name: "alone",
          expect,
          include: alone,
          globalSetup: ["tests/support/product/data-folder-template.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      {
        ...shared,
        test: {
          name: "stack",
          expect,
          include: ["tests/{realtime,faults,stack}/**/*.test.ts", "tests/security/access.test.ts"],
          exclude: alone,
          globalSetup: ["tests/support/product/data-folder-template.ts"],
          testTimeout: 300_000,
          hookTimeout: 300_000,
          isolate: false,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 2 },
        },
      },
      {
        ...shared,
        plugins: [onlyBundledPackages],
        // As Next does in a build.
        define: { "process.env.PALIMPSEST_BUILD": `"test"` },
        optimizeDeps: { include: bundledPackages, noDiscovery: true },
        test: {
          name: "component",
          expect,
          include: ["tests/components/**/*.test.tsx"],
          testTimeout: 240_000,
          hookTimeout: 300_000,
          maxWorkers,
          sequence: { groupOrder: 3 },
          browser: {
            enabled: true,
            headless: true,
            // A slow machine starts its browser late.
            connectTimeout: 300_000,
            screenshotFailures: false,
            viewport: { width: 1280, height: 720 },
            provider: playwright({
              launchOptions: {
                args: switches,
                ...(chromium !== null && { executablePath: chromium }),
              },
              contextOptions: { reducedMotion: "reduce" },
              actionTimeout: 60_000,
            }),
            commands: browserCommands,
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        ...shared,
        test: {
          name: "browser",
          expect,
          include: ["tests/e2e/**/*.e2e.ts"],
          globalSetup: ["tests/e2e/support/browser/global-setup.ts"],
          setupFiles: browserSetupFiles,
          testTimeout: 240_000,
          hookTimeout: 300_000,
          // Loads Playwright once per worker; loading it per file took a tenth of the time.
          isolate: false,
          // The browser and the product keep both cores busy: a third worker slows all of them
          // down.
          maxWorkers,
          sequence: { groupOrder: 4 },
        },
      },
      {
        ...shared,
        test: {
          name: "soak",
          expect,
          include: ["tests/soak/**/*.test.ts", ...longForms],
          globalSetup: [
            "tests/e2e/support/browser/global-setup.ts",
            "tests/support/product/data-folder-template.ts",
          ],
          setupFiles: browserSetupFiles,
          env: { SOAK: "1" },
          testTimeout: 900_000,
          hookTimeout: 300_000,
          maxWorkers,
        },
      },
    ],
  },
});
