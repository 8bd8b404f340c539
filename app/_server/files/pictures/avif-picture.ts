import { bareAv1, bareConfiguration } from "./av1-units";
import { readItems } from "./avif-items";
import type { Items, Reference } from "./avif-items";
import { boxBytes, fullBoxBytes, numberBytes, UnknownForm } from "./iso-boxes";
import type { Box } from "./iso-boxes";

const alphaOf = "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0";
const zeros = Buffer.alloc(4);
const ofLength = (length: number) => (content: Buffer) =>
  content.length < length ? null : content.subarray(0, length);

/** Reduces a colour space: `nclx` has a fixed length, an ICC profile declares its own length. */
function bareColour(content: Buffer): Buffer | null {
  const kind = content.toString("latin1", 0, 4);
  if (kind === "nclx") return ofLength(11)(content);
  if ((kind !== "prof" && kind !== "rICC") || content.length < 132) return null;
  return ofLength(4 + content.readUInt32BE(4))(content);
}

/** Returns the part of each property that a picture needs, or null if it cannot be parsed. */
const properties: Record<string, (content: Buffer) => Buffer | null> = {
  ispe: ofLength(12),
  pixi: (content) => ofLength(5 + (content[4] ?? 0))(content),
  av1C: bareConfiguration,
  colr: bareColour,
  irot: ofLength(1),
  imir: ofLength(1),
  clap: ofLength(32),
  pasp: ofLength(8),
  a1op: ofLength(1),
  lsel: ofLength(2),
  clli: ofLength(4),
  auxC: (content) =>
    content.toString("latin1", 4).startsWith(alphaOf)
      ? Buffer.concat([zeros, Buffer.from(alphaOf, "latin1")])
      : null,
};

/** Returns the items of a picture: itself, the tiles that it is composed of, and their alpha. */
function neededItems({ primary, kinds, references, properties: all, has }: Items): number[] {
  const isAlpha = (item: number) =>
    (has.get(item) ?? []).some(({ property }) => {
      const { type, content } = all[property - 1] ?? { type: "", content: zeros };
      return type === "auxC" && properties.auxC?.(content) !== null;
    });
  const needed = new Set([primary]);
  // Items added during the loop are visited too.
  for (const item of needed) {
    for (const { type, from, to } of references) {
      if (type === "dimg" && from === item) for (const part of to) needed.add(part);
      if (type === "auxl" && to.includes(item) && isAlpha(from)) needed.add(from);
    }
    const kind = kinds.get(item);
    if (kind !== "av01" && kind !== "grid") throw new UnknownForm(`unsupported item type ${kind}`);
  }
  return [...needed];
}

function bareItem(kind: string | undefined, bytes: Buffer): Buffer {
  // A grid has version, flags, rows, columns, and two sizes of two or four bytes.
  const bare = kind === "grid" ? ofLength((bytes[1] ?? 0) & 1 ? 12 : 8)(bytes) : bareAv1(bytes);
  if (!bare) throw new UnknownForm("unreadable item data");
  return bare;
}

/** Returns the boxes of a picture's properties, each once, with their assignment to its items. */
function propertyBoxes(items: Items, needed: readonly number[]): Buffer {
  const kept: Buffer[] = [];
  const places = new Map<number, number>();
  const placeOf = (property: number, isEssential: boolean): number | null => {
    const known = places.get(property);
    if (known !== undefined) return known;
    const box: Box | undefined = items.properties[property - 1];
    const bare = box && properties[box.type]?.(box.content);
    if (box && bare) {
      kept.push(boxBytes(box.type, bare));
      places.set(property, kept.length);
      return kept.length;
    }
    if (isEssential) throw new UnknownForm(`unsupported essential property ${box?.type}`);
    return null;
  };
  const associations = needed.map((item) => {
    const own = (items.has.get(item) ?? []).flatMap(({ property, isEssential }) => {
      const place = placeOf(property, isEssential);
      return place === null ? [] : [numberBytes(place + (isEssential ? 0x80 : 0), 1)];
    });
    return Buffer.concat([numberBytes(item, 2), numberBytes(own.length, 1), ...own]);
  });
  if (kept.length > 127) throw new UnknownForm("too many properties");
  return boxBytes(
    "iprp",
    boxBytes("ipco", ...kept),
    fullBoxBytes("ipma", 0, numberBytes(needed.length, 4), ...associations),
  );
}

function referenceBox({ type, from, to }: Reference): Buffer {
  const ids = to.map((item) => numberBytes(item, 2));
  return boxBytes(type, numberBytes(from, 2), numberBytes(to.length, 2), ...ids);
}

function bareFile(items: Items): Buffer {
  const needed = neededItems(items);
  const content = needed.map((item) => bareItem(items.kinds.get(item), items.bytesOf(item)));
  const kept = items.references.filter(
    ({ type, from, to }) =>
      ["dimg", "auxl", "prem"].includes(type) &&
      [from, ...to].every((item) => needed.includes(item)),
  );
  const entries = needed.map((item) =>
    fullBoxBytes(
      "infe",
      2,
      numberBytes(item, 2),
      numberBytes(0, 2),
      Buffer.from(items.kinds.get(item) ?? "", "latin1"),
      Buffer.alloc(1),
    ),
  );
  const metaWith = (start: number) => {
    let at = start;
    const places = needed.map((item, index) => {
      const length = content[index]?.length ?? 0;
      at += length;
      const where = [at - length, length].map((value) => numberBytes(value, 4));
      return Buffer.concat([numberBytes(item, 2), numberBytes(0, 2), numberBytes(1, 2), ...where]);
    });
    return fullBoxBytes(
      "meta",
      0,
      fullBoxBytes("hdlr", 0, zeros, Buffer.from("pict"), Buffer.alloc(13)),
      fullBoxBytes("pitm", 0, numberBytes(items.primary, 2)),
      fullBoxBytes("iloc", 0, numberBytes(0x4400, 2), numberBytes(needed.length, 2), ...places),
      fullBoxBytes("iinf", 0, numberBytes(entries.length, 2), ...entries),
      ...(kept.length > 0 ? [fullBoxBytes("iref", 0, ...kept.map(referenceBox))] : []),
      propertyBoxes(items, needed),
    );
  };
  const head = boxBytes("ftyp", Buffer.from("avif\0\0\0\0avifmif1miaf", "latin1"));
  const start = head.length + metaWith(0).length + 8;
  return Buffer.concat([head, metaWith(start), boxBytes("mdat", ...content)]);
}

/**
 * Reduces an AVIF to the items that compose its picture, with their pixel data unchanged. Returns
 * null if the AVIF cannot be parsed. An animation is reduced to its first picture.
 */
export function bareAvif(bytes: Buffer): Buffer | null {
  try {
    return bareFile(readItems(bytes));
  } catch (error) {
    if (error instanceof UnknownForm) return null;
    throw error;
  }
}
