import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { inheritRun } from "../supabase/local/process/steps.mjs";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];
const apps = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/**
 * Returns the path of a Chromium that starts: CHROMIUM_PATH, one on PATH, Playwright's own, or a
 * newly installed one.
 * @param {string} root
 * @returns {Promise<string>}
 */
export async function findChromium(root) {
  const present = look(root);
  if (present) return present;
  console.log("No Chromium found; installing one");
  for (const install of [playwright, apt]) {
    await install(root).catch((error) =>
      console.log(String(error instanceof Error ? error.message : error)),
    );
    const found = look(root);
    if (found) return found;
  }
  throw new Error(
    "No Chromium could be found or installed. Install one and name it in CHROMIUM_PATH.",
  );
}

/** @param {string} root */
function look(root) {
  const given = process.env.CHROMIUM_PATH;
  const folders = (process.env.PATH ?? "").split(delimiter);
  const onPath = folders.flatMap((folder) => names.map((name) => join(folder, name)));
  const own = createRequire(join(root, "package.json"))("playwright").chromium.executablePath();
  return [...(given ? [given] : []), ...onPath, ...apps, own].find(
    (path) => existsSync(path) && starts(path),
  );
}

/** Whether a browser starts, which needs its libraries. @param {string} path */
function starts(path) {
  try {
    execFileSync(path, ["--version", "--no-sandbox"], { stdio: "ignore", timeout: 30_000 });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} root */
async function playwright(root) {
  const isRoot = process.getuid?.() === 0;
  const cli = join(root, "node_modules", "playwright", "cli.js");
  await inheritRun(
    process.execPath,
    [cli, "install", ...(isRoot ? ["--with-deps"] : []), "chromium"],
    root,
  );
}

/** @param {string} root */
async function apt(root) {
  await inheritRun("apt-get", ["update", "-q"], root);
  await inheritRun("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium"], root);
}
