import { existsSync } from "node:fs";
import { join } from "node:path";
import { pixelsOf } from "@/events/formats/picture-head";
import { FairTurns } from "../fair-turns";
import { doImageJob } from "./image-job";
import type { ImageJob, ImageResult, Make } from "./image-job";
import { ImageProcess } from "./image-process";
import type { ImageLimits } from "./image-process";

/** The lane of an image, chosen before it is decoded, from the size that its header declares. */
type ImageLane = "small" | "large";

/** The largest image of the small lane. Phones take photographs of up to 16 million pixels. */
const smallPixels = 16_000_000;

const limitsOf = (processorMs: number): ImageLimits => ({
  processorMs,
  // On a busy machine the process gets only a share of a processor.
  wallMs: 8 * processorMs,
  megabytes: 1_536,
});

/**
 * Uploads are checked in turns, since each is held in memory whole. A page sends three at a time,
 * so a few tabs of one person stay within this limit.
 */
const mostWaiting = 12;
const lanes = {
  small: { processorMs: 8_000, turns: new FairTurns(mostWaiting) },
  large: { processorMs: 25_000, turns: new FairTurns(mostWaiting) },
};

/** The queue of files that are stored unchanged. */
export const plainTurns = new FairTurns(mostWaiting);

/** The processes are global: Next loads a module once per bundle, and the server shares them. */
const known: typeof globalThis & { palimpsestImages?: Partial<Record<ImageLane, ImageProcess>> } =
  globalThis;

function processOf(lane: ImageLane): ImageProcess | null {
  const script = join(process.cwd(), ".next", "image-process.cjs");
  // A server that was not built decodes images in its own process.
  if (!existsSync(script)) return null;
  const processes = (known.palimpsestImages ??= {});
  return (processes[lane] ??= new ImageProcess(script, limitsOf(lanes[lane].processorMs)));
}

/** Returns the lane of an image from its first bytes. Unknown sizes and animations are large. */
export function laneOf(beginning: Uint8Array): ImageLane {
  return !mayMove(beginning) && (pixelsOf(beginning) ?? Infinity) <= smallPixels
    ? "small"
    : "large";
}

/** Whether an image may be animated. The header of a GIF does not show this. */
function mayMove(beginning: Uint8Array): boolean {
  const sign = String.fromCharCode(...beginning.subarray(0, 21));
  const movesAsWebp = sign.startsWith("VP8X", 12) && ((beginning[20] ?? 0) & 2) !== 0;
  return sign.startsWith("GIF8") || movesAsWebp || sign.startsWith("ftypavis", 4);
}

type MakeImage = <Made extends Make>(job: ImageJob<Made>) => Promise<ImageResult[Made] | "spent">;

/**
 * Runs work on one image in the turn of its owner and lane. Images are made in the lane's process.
 * Work that exceeds the small lane's limits is repeated in the large lane. Resolves to null if the
 * owner's queue is full. Rejects with the signal's reason if the caller disconnects.
 */
export async function inImageLane<Made>(
  owner: string,
  lane: ImageLane,
  signal: AbortSignal,
  work: (make: MakeImage) => Promise<Made>,
): Promise<Made | "spent" | null> {
  const make: MakeImage = async (job) => {
    const beside = processOf(lane);
    return beside ? beside.run(job, signal) : doImageJob(job);
  };
  const made = await lanes[lane].turns.run(owner, () => work(make), signal);
  return made === "spent" && lane === "small" ? inImageLane(owner, "large", signal, work) : made;
}
