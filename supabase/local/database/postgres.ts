import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, chown, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { storedText } from "../operations/stored-text";
import { stopOrphan } from "../process/orphan";
import { postgresBinaries } from "./postgres-binaries";
import { postgresUser } from "./postgres-user";
import type { PostgresUser } from "./postgres-user";
import { removeUnfinished, unfinished } from "../unfinished";

type PostgresOptions = {
  /** A folder for the cluster and the superuser's password, used by nothing else. */
  directory: string;
  /** The loopback port; by default, a free one. */
  port?: number;
  log: (line: string) => void;
  /** Server settings beyond the defaults, e.g. `{ fsync: 'off' }` for a throw-away database. */
  settings?: Record<string, string>;
};

type PostgresServer = {
  /** The connection string of the superuser `postgres`. */
  url: string;
  /** Resolves with the exit code when the server ends for any reason. */
  exited: Promise<number | null>;
  /** Requests a fast shutdown and waits; then requests an immediate one, which loses no data. */
  stop(): Promise<void>;
};

const major = "17";

/**
 * Starts PostgreSQL on loopback, and creates the cluster on first use. The caller must hold a lock
 * on `directory`.
 */
export async function startPostgres(options: PostgresOptions): Promise<PostgresServer> {
  const directory = resolve(options.directory);
  const data = join(directory, "cluster");
  await mkdir(directory, { recursive: true });
  const binaries = await postgresBinaries();
  const user = await postgresUser([directory, binaries.postgres]);
  await stopOrphan(data, options.log);
  const password = await storedPassword(directory);
  const version = await storedText(join(data, "PG_VERSION"));
  if (version === null)
    await initialise(binaries.initdb, directory, data, password, user, options.log);
  else if (version.trim() !== major) {
    throw new Error(
      `The data in ${directory} was written by PostgreSQL ` +
        `${version.trim()}; this release has PostgreSQL ${major}. ` +
        "Nothing was changed. Start it with the release that " +
        "wrote it.",
    );
  }
  const port = options.port ?? (await freePort());
  const child = launch(user, binaries.postgres, [
    "-D",
    data,
    "-p",
    String(port),
    ...flags(options.settings ?? {}),
  ]);
  // The "close" event may come late: child processes can outlive the postmaster with its output.
  const exited = new Promise<number | null>((settle) => child.once("exit", settle));
  await ready(child);
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    exited,
    async stop() {
      child.kill("SIGINT");
      const impatience = setTimeout(() => child.kill("SIGQUIT"), 3500);
      await exited;
      clearTimeout(impatience);
    },
  };
}

function flags(settings: Record<string, string>): string[] {
  const all = {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    // Supabase's own setting: Realtime reads committed broadcasts from the WAL.
    wal_level: "logical",
    // English, because the code waits for the line "ready to accept connections".
    lc_messages: "C",
    ...settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

async function initialise(
  initdb: string,
  directory: string,
  data: string,
  password: string,
  user: PostgresUser,
  log: (line: string) => void,
): Promise<void> {
  log("Making the database");
  await removeUnfinished(directory);
  // Created under a temporary name, so that an interruption leaves no partial cluster behind.
  const workshop = join(directory, `${unfinished}${process.pid}`);
  const passwordFile = join(workshop, "password");
  await mkdir(workshop, { mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user.ids) {
    await chown(workshop, user.ids.uid, user.ids.gid);
    await chown(passwordFile, user.ids.uid, user.ids.gid);
  }
  const child = launch(user, initdb, [
    `--pgdata=${join(workshop, "cluster")}`,
    "--username=postgres",
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--data-checksums",
  ]);
  let complaint = "";
  child.stderr?.on(
    "data",
    (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-4000)),
  );
  child.stdout?.resume();
  const code = await new Promise<number | null>((settle, reject) => {
    child.once("error", reject);
    child.once("close", settle);
  });
  if (code !== 0) throw new Error(`The database could not be created:\n${complaint.trim()}`);
  await rename(join(workshop, "cluster"), data);
  await rm(workshop, { recursive: true, force: true });
}

function launch(user: PostgresUser, program: string, args: string[]): ChildProcess {
  const command = user.command(program, args);
  // A separate process group: Ctrl-C reaches this process alone, which stops the clients first.
  const child = spawn(command.file, command.args, {
    ...command.ids,
    cwd: "/",
    detached: process.platform !== "win32",
    stdio: ["ignore", "pipe", "pipe"],
  });
  // A stop during a start may end this process before an orderly shutdown is possible. After
  // SIGQUIT, the server recovers from its WAL at the next start.
  const reap = () => child.kill("SIGQUIT");
  process.once("exit", reap);
  child.once("close", () => process.off("exit", reap));
  return child;
}

async function ready(child: ChildProcess): Promise<void> {
  const closed = new Promise<number | null>((settle) => child.once("close", settle));
  let tail = "";
  const announced = new Promise<void>((settle, reject) => {
    child.once("error", reject);
    child.stdout?.resume();
    child.stderr?.on("data", (chunk: Buffer) => {
      tail = (tail + chunk.toString()).slice(-4000);
      if (tail.includes("ready to accept connections")) settle();
    });
  });
  const failed = closed.then((code): never => {
    throw new Error(
      `The database server ended with code ${code ?? "none"} before it was ready:\n${tail.trim()}`,
    );
  });
  failed.catch(() => undefined);
  await Promise.race([announced, failed]);
}

async function storedPassword(directory: string): Promise<string> {
  const file = join(directory, "password");
  const stored = await storedText(file);
  if (stored) return stored;
  const password = randomBytes(24).toString("base64url");
  await writeFile(`${file}.new`, password, { mode: 0o600 });
  await chmod(`${file}.new`, 0o600);
  await rename(`${file}.new`, file);
  return password;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((settle, reject) =>
    server.once("error", reject).listen(0, "127.0.0.1", settle),
  );
  const address = server.address();
  await new Promise((settle) => server.close(settle));
  if (address === null || typeof address === "string") throw new Error("No free port on 127.0.0.1");
  return address.port;
}
