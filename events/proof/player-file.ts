import { deflateSync, Inflate } from "fflate";
import * as z from "zod/mini";
import { fromBase64, toBase64 } from "@/events/core/bytes/base64";
import { eventsText, parseEvents } from "./bundle";
import { BundleError, bundleLimits, jsonText, parseHeads, parsePeople } from "./bundle-format";
import type { BundleHead, BundlePerson } from "./bundle-format";
import type { Ruled } from "@/events/core/envelope";

/** The content of a stand-alone player, which its program reads. */
export type PlayerContent = {
  rows: Ruled[];
  people: BundlePerson[];
  heads: BundleHead[];
  exported: { at: string; by: string };
};

/** The content's placeholder in the template. */
const place = '"palimpsest content"';
const opening = '<script type="application/json" id="content">';
const closing = "</script>";

const island = z.strictObject({
  exported: z.strictObject({ at: z.string(), by: z.string() }),
  people: z.string(),
  heads: z.string(),
  bytes: z.int().check(z.minimum(0), z.maximum(bundleLimits.unpacked)),
  events: z.string(),
});

/** Inserts a history into the player's template, as data that only the player's program reads. */
export function playerFile(
  template: string,
  { rows, people, heads, exported }: PlayerContent,
): string {
  const events = new TextEncoder().encode(eventsText(rows));
  const content = {
    exported,
    people: jsonText(people),
    heads: jsonText(heads),
    bytes: events.length,
    events: toBase64(deflateSync(events)),
  };
  const text = JSON.stringify(content).replaceAll("<", "\\u003c");
  if (template.split(place).length !== 2)
    throw new Error("The player template has no history slot");
  return template.replace(place, () => text);
}

/**
 * Splits a player into its program (the template) and the text of its content. Throws BundleError.
 */
export function playerParts(html: string): { template: string; content: string } {
  const start = html.indexOf(opening) + opening.length;
  const end = html.indexOf(closing, start);
  if (start < opening.length || end < 0)
    throw new BundleError("player.html is not a player: it holds no history.");
  return {
    template: html.slice(0, start) + place + html.slice(end),
    content: html.slice(start, end),
  };
}

/** The highest ratio that deflate can reach. */
const mostUnfolding = 1032;

function inflated(bytes: Uint8Array, size: number): Uint8Array {
  const lies = () => new BundleError("player.html does not hold what it says.");
  // No memory is allocated for an impossible size.
  if (size > bytes.length * mostUnfolding) throw lies();
  const out = new Uint8Array(size);
  let at = 0;
  const stream = new Inflate((part) => {
    if (at + part.length > size) throw lies();
    out.set(part, at);
    at += part.length;
  });
  for (let from = 0; from < bytes.length; from += 65_536)
    stream.push(bytes.subarray(from, from + 65_536), from + 65_536 >= bytes.length);
  if (at !== size) throw lies();
  return out;
}

/**
 * Parses a player's content. If `expected` is given, its events must have that many bytes. Throws
 * BundleError if it is invalid.
 */
export function parsePlayerContent(text: string, expected?: number): PlayerContent {
  try {
    const { exported, people, heads, bytes, events } = island.parse(JSON.parse(text));
    if (expected !== undefined && bytes !== expected)
      throw new BundleError("player.html does not hold the history of this bundle.");
    const lines = new TextDecoder("utf-8", { fatal: true }).decode(
      inflated(fromBase64(events), bytes),
    );
    return {
      exported,
      people: parsePeople(people),
      heads: parseHeads(heads),
      rows: parseEvents(lines),
    };
  } catch (error) {
    throw error instanceof BundleError
      ? error
      : new BundleError("player.html holds a history that cannot be read.");
  }
}
