import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inheritRun, withTurn } from "./steps.mjs";

/**
 * Runs `npm ci` if `node_modules` is missing or does not match the lock file.
 * @param {string} root
 */
export async function installIfStale(root) {
  if (isInstalled(root)) return;
  await withTurn(join(root, ".install.lock"), async () => {
    if (isInstalled(root)) return;
    console.log("Installing the packages (once, about a minute)");
    // Building needs the dev dependencies, regardless of NODE_ENV.
    await inheritRun(
      "npm",
      ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"],
      root,
    );
  });
}

/** @param {string} root */
function isInstalled(root) {
  const kept = join(root, "node_modules", ".package-lock.json");
  if (!existsSync(kept)) return false;
  const locked = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")).packages;
  const present = JSON.parse(readFileSync(kept, "utf8")).packages;
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "" || present[path]?.version === entry.version) return true;
    // npm omits optional packages for other platforms.
    return entry.optional === true && present[path] === undefined;
  });
}
