import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it, onTestFinished } from "vitest";
import { correctedPostgres } from "./postgres-client.mjs";

const program = `
  import postgres from "postgres";
  const sql = postgres({ host: "127.0.0.1", port: Number(process.argv[2]), username: "a", database: "a", max: 1 });
  await sql\`select 1\`.then(() => console.log("answered"), ({ code }) => console.log(code));
  await sql.end({ timeout: 1 });
`;

const message = (kind: string, body: Buffer) => {
  const head = Buffer.alloc(5);
  head.write(kind);
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
};
const letsIn = Buffer.concat([message("R", Buffer.alloc(4)), message("Z", Buffer.from("I"))]);
const recovers = message("E", Buffer.from("SFATAL\0C57P03\0MIt is in recovery mode.\0\0"));

/** Starts a database that refuses the first query of each connection. Returns its port. */
async function recoveringDatabase(): Promise<number> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(letsIn);
      socket.once("data", () => socket.end(recovers));
    });
  });
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle));
  onTestFinished(() => void server.close());
  const address: AddressInfo | string | null = server.address();
  if (address === null || typeof address === "string") throw new Error("It listens at no port");
  return address.port;
}

it("[START-24] a database that refuses its client's own queries ends no process", async () => {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-client-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "client.mjs");
  const root = process.cwd();
  await build({
    stdin: { contents: program, resolveDir: root },
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
    plugins: [correctedPostgres(root)],
  });
  const port = await recoveringDatabase();
  // An unhandled rejection would change the exit code.
  const { stdout } = await promisify(execFile)(process.execPath, [file, String(port)]);
  expect(stdout.trim()).toBe("57P03");
});
