import { existsSync } from "node:fs";

// Does not import Playwright, which the Vitest configuration would then load for every project.

const systemPlaces = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
];

/** Returns the Chromium in `CHROMIUM_PATH`, or the system's; null if there is none. */
export function presentChromium(): string | null {
  const given = process.env["CHROMIUM_PATH"];
  return [...(given ? [given] : []), ...systemPlaces].find((path) => existsSync(path)) ?? null;
}

// Chromium renders its address bar's suggestions as two pages, which every window would load in
// addition: a quarter of the browser's work in tests with many windows. The other entries are
// missing from Playwright 1.65. If such a switch is repeated, the last one counts.
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
 * A test browser talks only to this machine. Without these switches, Chromium looks up Google's
 * hosts at every start.
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
