import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs a program with inherited input and output. Rejects with a message if the program fails.
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @param {Record<string, string>} [variables]
 */
export function inheritRun(program, args, cwd, variables = {}) {
  const windows = process.platform === "win32";
  return new Promise((settle, reject) => {
    const child = spawn(program, args, {
      cwd,
      stdio: "inherit",
      shell: windows && program === "npm",
      env: { ...process.env, ...variables },
    });
    const stop = () => child.kill("SIGTERM");
    process.once("SIGTERM", stop);
    child.once("error", reject);
    child.once("close", (code) => {
      process.removeListener("SIGTERM", stop);
      if (code === 0) settle(undefined);
      else
        reject(
          new Error(`"${program} ${args.join(" ")}" failed (${code ?? "stopped"}); see above.`),
        );
    });
  });
}

/**
 * Runs `work` under a lock file, one process per checkout at a time. Takes over the lock of a dead
 * process.
 * @param {string} file
 * @param {() => Promise<void>} work
 */
export async function withTurn(file, work) {
  while (!take(file)) await delay(200);
  try {
    await work();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
  const holder = Number(readHolder(file));
  if (holder > 0 && !isAlive(holder)) rmSync(file, { force: true });
  return false;
}

/** @param {string} file */
function readHolder(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The holder has just finished.
    return "0";
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
