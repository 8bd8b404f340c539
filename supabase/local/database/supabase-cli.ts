import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../..", import.meta.url));
const script = join(root, "node_modules/supabase/dist/supabase.js");

/**
 * Runs the Supabase CLI on a database and returns its output, without the user's configuration or
 * telemetry.
 */
export async function supabaseCli(databaseUrl: string, ...args: string[]): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "palimpsest-cli-"));
  try {
    const { stdout } = await run(process.execPath, [script, ...args, `--remote=${databaseUrl}`], {
      cwd: root,
      env: { ...process.env, HOME: home, DO_NOT_TRACK: "1", SUPABASE_TELEMETRY_DISABLED: "1" },
      maxBuffer: 16 * 1024 * 1024,
    });
    return stdout;
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
