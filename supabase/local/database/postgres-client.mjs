import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const closed = "Errors.connection('CONNECTION_CLOSED', options)";
const refuseLost = `      if (lossesOf(c) !== losses) return q.reject(${closed})\n`;

/**
 * Patches for postgres.js 3.4.9, which mishandles a database that goes away under a reserved
 * connection or a transaction (porsager/postgres #1066, #1154, #1208). The rollback is written to a
 * closed socket, whose uncatchable error ends the process, or it goes to the reopened connection
 * and ends another caller's transaction. Its own queries on a new connection also fail without a
 * handler.
 * @type {Record<string, [from: string, to: string][]>}
 */
const corrections = {
  "src/index.js": [
    // A lost connection is no longer reserved for its holder, even after it reconnects.
    [
      "    move(c, closed)\n    c.reserved = null",
      "    move(c, closed)\n    c.losses = lossesOf(c) + 1\n    c.reserved = null",
    ],
    ["  async function reserve() {\n", `${lossesOf.toString()}\n\n  async function reserve() {\n`],
    [
      "    move(c, reserved)\n    c.reserved = () => queue.length",
      "    const losses = lossesOf(c)\n    move(c, reserved)\n    c.reserved = () => queue.length",
    ],
    [
      "    sql.release = () => {\n",
      "    sql.release = () => {\n      if (lossesOf(c) !== losses) return\n",
    ],
    [
      "    function handler(q) {\n      c.queue === full\n        ? queue.push(q)",
      `    function handler(q) {\n${refuseLost}      c.queue === full\n        ? queue.push(q)`,
    ],
    [
      "      , connection\n      , prepare = null",
      "      , connection\n      , losses\n      , prepare = null",
    ],
    [
      "        q.catch(e => uncaughtError || (uncaughtError = e))\n",
      `        q.catch(e => uncaughtError || (uncaughtError = e))\n${refuseLost}`,
    ],
    [
      "      connection = c\n      move(c, reserved)",
      "      connection = c\n      losses = lossesOf(c)\n      move(c, reserved)",
    ],
  ],
  "src/connection.js": [
    // The caller that waits for the connection gets the error separately.
    ["        return fetchArrayTypes()", "        return fetchArrayTypes().catch(() => undefined)"],
    // Drop data buffered for the closed socket, and fail the queries that wait for a response.
    [
      "    socket.removeListener('connect', connected)\n    idleTimer",
      "    chunk = nextWriteTimer = null\n" +
        "    socket.removeListener('connect', connected)\n    idleTimer",
    ],
    ["    !hadError && (query || sent.length) && error(", "    ;(query || sent.length) && error("],
    [
      "    const x = socket.write(chunk, fn)\n    nextWriteTimer",
      `    const x = socket === null\n      ? (error(${closed}), false)\n` +
        "      : socket.write(chunk, fn)\n    nextWriteTimer",
    ],
  ],
};

/** @param {{ losses?: number }} c */
function lossesOf(c) {
  return c.losses ?? 0;
}

/**
 * Bundles the patched postgres.js, also for Lite. The build fails for another version, which may
 * have fixed these bugs.
 * @param {string} root
 * @returns {import('esbuild').Plugin}
 */
export function correctedPostgres(root) {
  const packages = join(root, "node_modules");
  return {
    name: "corrected postgres",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^postgres$/ }, () => ({
        path: join(packages, "postgres", "src", "index.js"),
      }));
      onResolve({ filter: /^@supabase\/lite\/postgres$/ }, () => ({
        path: join(
          packages,
          "@supabase",
          "lite",
          "dist",
          "db",
          "postgres",
          "PostgresConnection.js",
        ),
      }));
      onLoad({ filter: /[\\/]postgres[\\/]src[\\/](index|connection)\.js$/ }, async ({ path }) => {
        const name = `src/${basename(path)}`;
        let contents = await readFile(path, "utf8");
        for (const [from, to] of corrections[name] ?? []) {
          if (contents.split(from).length !== 2)
            throw new Error(
              `Unsupported postgres.js release: "${from}" must occur once in ${name}`,
            );
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: "js" };
      });
    },
  };
}
