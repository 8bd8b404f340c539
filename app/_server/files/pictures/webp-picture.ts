/** A RIFF chunk: its name, and its content without padding. */
type Chunk = { name: string; content: Buffer };

const flag = { moves: 0x02, alpha: 0x10, profile: 0x20 };
const frameHead = 16;

/** Returns all chunks in `bytes`, or null if a chunk extends beyond the end. */
function chunksIn(bytes: Buffer): Chunk[] | null {
  const chunks: Chunk[] = [];
  let at = 0;
  while (at + 8 <= bytes.length) {
    const length = bytes.readUInt32LE(at + 4);
    if (at + 8 + length > bytes.length) return null;
    const name = bytes.toString("latin1", at, at + 4);
    chunks.push({ name, content: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + (length % 2);
  }
  return chunks;
}

function packed({ name, content }: Chunk): Buffer {
  const head = Buffer.alloc(8);
  head.write(name, "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)]);
}

/** Returns the chunks with one picture's pixels, and the separate alpha of a lossy picture. */
function pixelsIn(chunks: readonly Chunk[]): Chunk[] | null {
  const pixels = chunks.find(({ name }) => name === "VP8 " || name === "VP8L");
  if (!pixels) return null;
  const alpha = pixels.name === "VP8 " ? chunks.find(({ name }) => name === "ALPH") : undefined;
  return alpha ? [alpha, pixels] : [pixels];
}

/** Cuts the colour profile to the length that it declares. */
function bareProfile(profile: Chunk | undefined): Chunk[] | null {
  if (!profile) return [];
  const { name, content } = profile;
  if (content.length < 128 || content.readUInt32BE(0) > content.length) return null;
  return [{ name, content: content.subarray(0, content.readUInt32BE(0)) }];
}

/** Reduces one frame of an animation to its position, duration and pixels. */
function bareFrame({ name, content }: Chunk): Chunk | null {
  if (content.length < frameHead) return null;
  const pixels = pixelsIn(chunksIn(content.subarray(frameHead)) ?? []);
  if (!pixels) return null;
  const head = Buffer.from(content.subarray(0, frameHead));
  head[15] = (head[15] ?? 0) & 0x03;
  return { name, content: Buffer.concat([head, ...pixels.map(packed)]) };
}

function bareExtended(chunks: readonly Chunk[], head: Buffer): Chunk[] | null {
  const flags = head[0] ?? 0;
  const profile = bareProfile(
    flags & flag.profile ? chunks.find(({ name }) => name === "ICCP") : undefined,
  );
  if (profile === null) return null;
  const moves = (flags & flag.moves) !== 0;
  const pictures = moves ? bareFrames(chunks) : pixelsIn(chunks);
  if (!pictures) return null;
  const extended = Buffer.alloc(10);
  extended[0] = (flags & (flag.moves | flag.alpha)) | (profile.length > 0 ? flag.profile : 0);
  head.copy(extended, 4, 4, 10);
  return [{ name: "VP8X", content: extended }, ...profile, ...pictures];
}

function bareFrames(chunks: readonly Chunk[]): Chunk[] | null {
  const loop = chunks.find(({ name }) => name === "ANIM");
  const frames = chunks.filter(({ name }) => name === "ANMF").map(bareFrame);
  if (!loop || loop.content.length < 6 || frames.length === 0) return null;
  const whole = frames.filter((frame) => frame !== null);
  if (whole.length < frames.length) return null;
  return [{ name: "ANIM", content: loop.content.subarray(0, 6) }, ...whole];
}

/**
 * Reduces a WebP to the chunks that show its pixels, with their bytes unchanged. Returns null if
 * the WebP cannot be parsed.
 */
export function bareWebp(bytes: Buffer): Buffer | null {
  const end = Math.min(bytes.length, 8 + bytes.readUInt32LE(4));
  const chunks = chunksIn(bytes.subarray(12, end));
  const [first] = chunks ?? [];
  if (!chunks || !first) return null;
  const isExtended = first.name === "VP8X";
  if (isExtended && first.content.length < 10) return null;
  const kept = isExtended ? bareExtended(chunks, first.content) : pixelsIn([first]);
  if (!kept) return null;
  const content = Buffer.concat([Buffer.from("WEBP"), ...kept.map(packed)]);
  const head = Buffer.from("RIFF\0\0\0\0", "latin1");
  head.writeUInt32LE(content.length, 4);
  return Buffer.concat([head, content]);
}
