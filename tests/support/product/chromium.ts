import { existsSync } from "node:fs";

// Without Playwright, which the Vitest configuration would load for every project.

const systemPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** The Chromium that `CHROMIUM_PATH` names, or the system's; null without one. */
export function presentChromium(): string | null {
  const given = process.env["CHROMIUM_PATH"];
  return [...(given ? [given] : []), ...systemPlaces].find((path) => existsSync(path)) ?? null;
}

// Chromium renders its address bar's suggestions as two pages, which every window would load beside
// the tested one: a quarter of the browser's work in tests that open many. The other entries are
// missing from Playwright 1.65; of such switches the last one counts.
const unwanted = [
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
];

/**
 * A test browser talks only to this machine; without these, Chromium looks up Google's hosts at
 * every start.
 */
export const switches: string[] = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--disable-dev-shm-usage",
  `--disable-features=${unwanted.join(",")}`,
];
