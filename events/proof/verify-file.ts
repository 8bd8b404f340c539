// `npm run verify FILE`: checks a bundle without a server, a network, or the bundle's own player.
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { BundleError, bundleLimits } from "./bundle-format";
import { checkBundle } from "./bundle-check";
import type { CheckedBundle } from "./bundle-check";
import { terminalLine } from "./terminal-line";

const built = fileURLToPath(new URL("../../.next/player.html", import.meta.url));
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

async function ownPlayer(): Promise<string | null> {
  try {
    return await readFile(built, "utf8");
  } catch {
    // Without a build there is no player to compare with.
    return null;
  }
}

function playerSentence(player: string, own: string | null): string {
  if (own === null)
    return (
      'The player in it holds the same history. Its program was not compared: run "npm run ' +
      'build" first if you want that.'
    );
  if (sha256(player) === sha256(own))
    return "The player in it holds the same history, and its program is the one of this version.";
  return (
    "The player in it holds the same history, but its program is not the one of this " +
    "version: open it only if you trust where it came from."
  );
}

function sentences(
  { bundle, redacted, rejected, rendered, player, absent }: CheckedBundle,
  own: string | null,
): string[] {
  const { manifest, people, attachments } = bundle;
  const { document, exported, head } = manifest;
  const lines = [
    `“${document.title}” (document ${document.id})`,
    `Exported ${exported.at} by ${exported.by.name}. ` +
      `${people.length === 1 ? "One person" : `${people.length} people`}: ` +
      `${people.map(({ name }) => name).join(", ")}. ` +
      "Names come from the exporter’s page; ids are covered by the hashes.",
    `${manifest.events} events, each chained to the one before it, each with the recorded content.`,
    `Head: ${head.version} ${head.hash}`,
    "Compare the head with a copy kept elsewhere: otherwise a forged history looks like a real one.",
    rendered
      ? "The text is the one that the events give, as Markdown, HTML and JSON."
      : "The text is the one that the events give, as JSON. Markdown and HTML were written " +
        "by another version and were not compared.",
    playerSentence(player, own),
  ];
  if (attachments.length > 0)
    lines.push(
      `${attachments.length} ${attachments.length === 1 ? "file" : "files"} of the text, ` +
        "each of the size and with the hash that the events say.",
    );
  if (absent.length > 0)
    lines.push(`Not in it, though the events name them: ${absent.join(", ")}.`);
  if (redacted.length > 0) lines.push(`${redacted.length} redacted: ${redacted.join(", ")}.`);
  if (rejected > 0)
    lines.push(
      `${rejected} ${rejected === 1 ? "edit is" : "edits are"} passed ` +
        "over by every reader: malformed, or written under somebody else’s " +
        "name.",
    );
  return lines;
}

/** Checks the file. Returns the exit code: 0 valid, 1 invalid, 2 not read. */
async function main(file: string | undefined): Promise<number> {
  if (file === undefined) {
    console.error("Usage: npm run verify FILE");
    return 2;
  }
  let bytes: Buffer;
  try {
    const { size } = await stat(file);
    if (size > bundleLimits.packed)
      throw new BundleError(
        `The file has ${Math.ceil(size / 2 ** 20)} MB; at most ${bundleLimits.packed / 2 ** 20} MB are taken.`,
      );
    bytes = await readFile(file);
  } catch (error) {
    console.error(terminalLine(error instanceof Error ? error.message : String(error)));
    return 2;
  }
  try {
    const checked = await checkBundle(Uint8Array.from(bytes), () => undefined);
    console.log(
      ["Verified.", ...sentences(checked, await ownPlayer())].map(terminalLine).join("\n"),
    );
    return 0;
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    console.error(terminalLine(`Not verified. ${error.message}`));
    return 1;
  }
}

process.exitCode = await main(process.argv[2]);
