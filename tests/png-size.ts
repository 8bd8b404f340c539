import { deflateSync, inflateSync } from "node:zlib";

const signature = 8;
const frame = 12;

/**
 * The same image in fewer bytes: screenshots are compressed for speed, and recompressed here for
 * size.
 */
export function repack(png: Buffer): Buffer {
  const chunks: Buffer[] = [png.subarray(0, signature)];
  const data: Buffer[] = [];
  for (let at = signature; at < png.length;) {
    const end = at + frame + png.readUInt32BE(at);
    const type = png.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") data.push(png.subarray(at + 8, end - 4));
    else if (type === "IEND")
      chunks.push(
        chunk("IDAT", deflateSync(inflateSync(Buffer.concat(data)), { level: 9, memLevel: 9 })),
        png.subarray(at, end),
      );
    else chunks.push(png.subarray(at, end));
    at = end;
  }
  const packed = Buffer.concat(chunks);
  return packed.length < png.length ? packed : png;
}

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + frame);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, "latin1");
  body.copy(whole, 8);
  whole.writeUInt32BE(crc(whole.subarray(4, body.length + 8)), body.length + 8);
  return whole;
}

/** PNG's CRC-32; `node:zlib` has one only since Node 22. */
function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
