import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { newDataFolder, removeFolder } from "./data-folder";

const root = fileURLToPath(new URL("../../..", import.meta.url));

const keysSchema = z.object({
  publishableKey: z.string(),
  secretKey: z.string(),
  jwtSecret: z.string(),
});
const mailSchema = z.object({
  to: z.string(),
  subject: z.string(),
  html: z.string(),
  text: z.string(),
  sentAt: z.string(),
});
export type Mail = z.infer<typeof mailSchema>;

export type Stack = {
  url: string;
  port: number;
  dataDir: string;
  keys: z.infer<typeof keysSchema>;
  /** Returns everything that the process has printed so far. */
  output(): string;
  /** Returns an address's mails, newest first. Waits up to 10 s for a mail with this subject. */
  mails(to: string, subject: RegExp): Promise<Mail[]>;
  /** Sends `kill -9` to the process alone, whose database server becomes an orphan. */
  kill(): Promise<void>;
  /** Sends a signal to the process without waiting. */
  signal(signal: NodeJS.Signals): void;
  /** Returns the exit code once the process has ended; null after a signal. */
  ended(): Promise<number | null>;
  /** Sends SIGTERM, and returns how the process ended. */
  stop(): Promise<Stop>;
  /** Restarts the product on the same data and port. */
  restart(): Promise<void>;
  /** Stops the product and removes its data. */
  dispose(): Promise<void>;
};

type StackOptions = { port?: number; dataDir?: string; env?: Record<string, string> };

/**
 * Starts the whole product as a child process, by default on a free port, with a fresh data folder
 * as after a first start. Builds the product first if the build is stale.
 */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const port = options.port ?? (await freePort());
  const dataDir = options.dataDir ?? (await newDataFolder());
  const url = `http://127.0.0.1:${port}`;
  let run = launch({ ...options, port, dataDir });
  const isPortTaken = await run.ready().then(
    () => false,
    (error: unknown) => {
      if (
        options.port !== undefined ||
        !/is in use by|another process .* on port/.test(run.output())
      )
        throw error;
      return true;
    },
  );
  if (isPortTaken) return startStack(options);
  const keys = keysSchema.parse(JSON.parse(await readFile(join(dataDir, "keys.json"), "utf8")));
  const stack: Stack = {
    url,
    port,
    dataDir,
    keys,
    output: () => run.output(),
    async mails(to, subject) {
      const end = Date.now() + 10_000;
      for (;;) {
        const response = await fetch(`${url}/mail/messages.json?to=${encodeURIComponent(to)}`);
        const found = z
          .array(mailSchema)
          .parse(await response.json())
          .filter((mail) => subject.test(mail.subject));
        if (found.length > 0) return found;
        if (Date.now() > end) throw new Error(`No mail ${subject} for ${to}`);
        await delay(50);
      }
    },
    async kill() {
      run.child.kill("SIGKILL");
      await run.ended;
    },
    signal: (signal) => void run.child.kill(signal),
    ended: () => run.ended,
    stop: () => run.stop(),
    async restart() {
      if (run.child.exitCode === null && run.child.signalCode === null) await stack.stop();
      run = launch({ ...options, port, dataDir });
      await run.ready();
    },
    async dispose() {
      await stack.stop();
      await removeFolder(dataDir);
    },
  };
  return stack;
}

type Stop = { code: number | null; milliseconds: number };

/**
 * Whether the product stopped correctly: with exit code 0, or with 1 if it was busy for the whole
 * time that a stop may take.
 */
export const isGoodStop = ({ code, milliseconds }: Stop): boolean =>
  code === 0 || (code === 1 && milliseconds > 4_500);

export type Launch = {
  child: ChildProcess;
  /** Sends SIGTERM, and returns how the process ended. */
  stop(): Promise<Stop>;
  /** Resolves to the exit code, or null after a signal. */
  ended: Promise<number | null>;
  output(): string;
  /** Waits for the ready line. Throws with the output if the process ends first. */
  ready(): Promise<void>;
};

/** The Node flags of `npm start`. */
const startFlags = ["--max-semi-space-size=64"];

/** Runs the start command as a child process without waiting. */
export function launch(options: StackOptions & { args?: string[] }): Launch {
  const child = spawn(
    process.execPath,
    [...startFlags, join(root, "supabase", "local", "start.mjs"), ...(options.args ?? [])],
    {
      cwd: root,
      env: {
        ...process.env,
        // With Vitest's own value, Next would not start in production mode.
        NODE_ENV: "production",
        // All requests come from one machine. The limit per account remains.
        AUTH_RATE_LIMIT: "10000",
        DEMO: "0",
        // Few of a run's many starts serve more than one page, so warm-up would take more time.
        WARM_UP: "0",
        // Test data folders are temporary; their records do not belong in the checkout.
        STATE_DIR: join(tmpdir(), "palimpsest-known-data"),
        ...(options.port === undefined ? {} : { PORT: String(options.port) }),
        ...(options.dataDir === undefined ? {} : { DATA_DIR: options.dataDir }),
        ...options.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  // A test that fails before it stops its product must not leave it running.
  const reap = () => child.kill("SIGTERM");
  process.once("exit", reap);
  child.once("close", () => process.removeListener("exit", reap));
  let printed = "";
  const collect = (chunk: Buffer) => (printed += chunk.toString());
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  const output = () => printed;
  return {
    child,
    ended,
    output,
    async stop() {
      const begun = performance.now();
      child.kill("SIGTERM");
      const code = await ended;
      return { code, milliseconds: performance.now() - begun };
    },
    async ready() {
      const failed = ended.then((code): never => {
        throw new Error(`The process ended with code ${code} before it was ready:\n${printed}`);
      });
      failed.catch(() => undefined);
      const announced = new Promise<void>((settle) => {
        const look = () => printed.includes("Ready on ") && settle();
        child.stdout.on("data", look);
        look();
      });
      await Promise.race([announced, failed]);
    },
  };
}

/**
 * Returns a loopback port that was free a moment ago. The port is below the system's ephemeral
 * range, so that a killed product finds its port free when it restarts.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((settle) =>
      server.once("error", () => settle(false)).listen(port, "127.0.0.1", () => settle(true)),
    );
    if (!isFree) continue;
    await new Promise((settle) => server.close(settle));
    return port;
  }
}
