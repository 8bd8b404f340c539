import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const dynamic = "force-dynamic";

/**
 * Returns the stand-alone player without a history, for the page that exports one. The player is
 * served as plain text, because it is embedded in a file and never shown at this address.
 */
export async function GET(): Promise<Response> {
  const template = await readFile(join(process.cwd(), ".next", "player.html"), "utf8");
  return new Response(template, {
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-cache" },
  });
}
