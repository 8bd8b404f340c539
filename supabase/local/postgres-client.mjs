import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";

const closed = "Errors.connection('CONNECTION_CLOSED', options)";
const refuseLost = `      if (lossesOf(c) !== losses) return q.reject(${closed})\n`;

/**
 * What postgres.js 3.4.9 does wrong when the database goes away under a reserved connection or a
 * transaction (porsager/postgres #1066, #1154, #1208): the rollback that follows is written to a
 * socket that is gone, which throws where nobody can catch it and ends the process; or it goes to
 * the connection that has been made anew for somebody else's transaction, whose role it ends. And
 * what it asks for itself on a connection that has just been made fails where nobody can catch it.
 * @type {Record<string, [from: string, to: string][]>}
 */
const corrections = {
  "src/index.js": [
    // Whoever held a connection that was lost has it no more, whatever becomes of it.
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
    // Whoever waits for the connection is told of the fault as well.
    ["        return fetchArrayTypes()", "        return fetchArrayTypes().catch(() => undefined)"],
    // What was to be written to the socket that is gone is not for the next one, and whoever waits
    // for its answer is told.
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
 * Takes the database's client, and Lite's use of it, into the bundle, without these faults. Another
 * version of it, in which they may be mended, does not build.
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
              `postgres.js is another version: in ${name} there is not one "${from}"`,
            );
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: "js" };
      });
    },
  };
}
