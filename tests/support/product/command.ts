import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

type Command = {
  child: ChildProcess;
  /** The exit code; null after a signal. */
  ended: Promise<number | null>;
  /** Returns everything printed so far. */
  output(): string;
  /** Waits until these words are printed, and throws if the process ends first. */
  prints(words: string): Promise<void>;
};

type CommandOptions = {
  /** The most bytes that the process may write into one file. */
  mostBytes?: number;
  env?: Record<string, string>;
};

/**
 * Runs `npm run backup` or `npm run restore` on a data folder, in one process that can be killed.
 */
export function command(
  name: "backup" | "restore",
  file: string,
  dataDir: string,
  { mostBytes, env }: CommandOptions = {},
): Command {
  const args = ["--import", "tsx", join(root, "events", "backup", `${name}.ts`), file];
  const [program, all] =
    mostBytes === undefined
      ? [process.execPath, args]
      : // The shell counts in blocks of 1024 bytes.
        [
          "bash",
          ["-c", `ulimit -f ${mostBytes / 1024}; exec "$0" "$@"`, process.execPath, ...args],
        ];
  const child = spawn(program, all, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: dataDir,
      STATE_DIR: join(tmpdir(), "palimpsest-known-data"),
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const collect = (chunk: Buffer) => (printed += chunk.toString());
  child.stdout?.on("data", collect);
  child.stderr?.on("data", collect);
  const ended = new Promise<number | null>((settle) => child.once("close", settle));
  return {
    child,
    ended,
    output: () => printed,
    async prints(words) {
      const failed = ended.then((code): never => {
        throw new Error(`It ended with code ${code} before it printed "${words}":\n${printed}`);
      });
      failed.catch(() => undefined);
      const announced = new Promise<void>((settle) => {
        const look = () => printed.includes(words) && settle();
        child.stdout?.on("data", look);
        look();
      });
      await Promise.race([announced, failed]);
    },
  };
}

/** Runs the command to its end, and throws with its output unless the command succeeds. */
export async function succeed(...of: Parameters<typeof command>): Promise<string> {
  const run = command(...of);
  const code = await run.ended;
  if (code !== 0) throw new Error(`${of[0]} ended with code ${code}:\n${run.output()}`);
  return run.output();
}

/** Runs the command to its end, and returns the refusal that it printed. */
export async function refused(...of: Parameters<typeof command>): Promise<string> {
  const run = command(...of);
  const code = await run.ended;
  if (code !== 1) throw new Error(`${of[0]} ended with code ${code}:\n${run.output()}`);
  return run.output();
}
