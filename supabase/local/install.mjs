import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { inheritRun, withTurn } from "./steps.mjs";

/**
 * Runs `npm ci` when `node_modules` is missing or not what the lock file says.
 * @param {string} root
 */
export async function installIfStale(root) {
  if (isInstalled(root)) return;
  await withTurn(join(root, ".install.lock"), async () => {
    if (isInstalled(root)) return;
    console.log("Installing the packages (once, about a minute)");
    // Building needs the development packages too, whatever NODE_ENV says.
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
    // Packages for other machines are left out by npm.
    return entry.optional === true && present[path] === undefined;
  });
}
