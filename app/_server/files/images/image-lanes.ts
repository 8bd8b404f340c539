import { existsSync } from "node:fs";
import { join } from "node:path";
import { pixelsOf } from "@/events/formats/picture-head";
import { FairTurns } from "../fair-turns";
import { doImageJob, type ImageJob, type ImageResult, type Make } from "./image-job";
import { type ImageLimits, ImageProcess } from "./image-process";

/** A lane is told before an image is decoded, by what its head says that it costs. */
type ImageLane = "small" | "large";

/** A phone takes photographs of up to 16 million pixels, which never wait for one of eighty million. */
const smallPixels = 16_000_000;

const limitsOf = (processorMs: number): ImageLimits => ({
  processorMs,
  // Where many want a processor, a share of one takes longer.
  wallMs: 8 * processorMs,
  megabytes: 1_536,
});

/**
 * Uploads are looked at in turns, since each is in memory as a whole. A page has three under way: a
 * few tabs of one person bring no more than may wait here.
 */
const mostWaiting = 12;
const lanes = {
  small: { processorMs: 8_000, turns: new FairTurns(mostWaiting) },
  large: { processorMs: 25_000, turns: new FairTurns(mostWaiting) },
};

/** The turns of files that are stored as they are. */
export const plainTurns = new FairTurns(mostWaiting);

/** Next loads a module once for each of its bundles; the processes are the server's. */
const known: typeof globalThis & { palimpsestImages?: Partial<Record<ImageLane, ImageProcess>> } =
  globalThis;

function processOf(lane: ImageLane): ImageProcess | null {
  const script = join(process.cwd(), ".next", "image-process.cjs");
  // A server that was not built decodes where it is asked to.
  if (!existsSync(script)) return null;
  const processes = (known.palimpsestImages ??= {});
  return (processes[lane] ??= new ImageProcess(script, limitsOf(lanes[lane].processorMs)));
}

/** The lane of an image, by how it begins: one whose pixels cannot be told, or that may move, is large. */
export function laneOf(beginning: Uint8Array): ImageLane {
  return !mayMove(beginning) && (pixelsOf(beginning) ?? Infinity) <= smallPixels
    ? "small"
    : "large";
}

/** Whether an image may have several frames: GIF says so nowhere in its head. */
function mayMove(beginning: Uint8Array): boolean {
  const sign = String.fromCharCode(...beginning.subarray(0, 21));
  const movesAsWebp = sign.startsWith("VP8X", 12) && ((beginning[20] ?? 0) & 2) !== 0;
  return sign.startsWith("GIF8") || movesAsWebp || sign.startsWith("ftypavis", 4);
}

type MakeImage = <Made extends Make>(job: ImageJob<Made>) => Promise<ImageResult[Made] | "spent">;

/**
 * Does work on one image in the turn of its owner and its lane: what it makes is made in the lane's
 * process. What took more than the small lane has is done once more in the large one. Null where too
 * much of its owner's waits; rejects with the signal's reason where its caller goes.
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
