import { BoxReader, boxesIn, UnknownForm } from "./iso-boxes";
import type { Box } from "./iso-boxes";

/** The items of a file, with the location of their bytes. */
export type Items = {
  primary: number;
  kinds: ReadonlyMap<number, string>;
  references: readonly Reference[];
  properties: readonly Box[];
  /** The properties of each item, counted from 1, and whether a reader must understand each. */
  has: ReadonlyMap<number, readonly { property: number; isEssential: boolean }[]>;
  bytesOf: (item: number) => Buffer;
};
export type Reference = { type: string; from: number; to: readonly number[] };

/** Reads a box that begins with version and flags. */
function full({ content }: Box) {
  const reader = new BoxReader(content);
  return { version: reader.number(1), flags: reader.number(3), reader };
}

function childOf(boxes: readonly Box[], type: string): Box {
  const found = boxes.filter((box) => box.type === type);
  if (found.length !== 1 || !found[0])
    throw new UnknownForm(`${found.length} boxes of type ${type}`);
  return found[0];
}

function kindsOf(box: Box): Map<number, string> {
  const { version, reader } = full(box);
  reader.number(version === 0 ? 2 : 4);
  const kinds = new Map<number, string>();
  for (const entry of boxesIn(reader.rest())) {
    const item = full(entry);
    if (entry.type !== "infe" || item.version < 2)
      throw new UnknownForm("unsupported item version");
    const id = item.reader.number(item.version === 2 ? 2 : 4);
    // This field is the item protection index.
    if (item.reader.number(2) !== 0) throw new UnknownForm("protected item");
    kinds.set(id, item.reader.take(4).toString("latin1"));
  }
  return kinds;
}

function referencesOf(box: Box | undefined): Reference[] {
  if (!box) return [];
  const { version, reader } = full(box);
  const size = version === 0 ? 2 : 4;
  return boxesIn(reader.rest()).map(({ type, content }) => {
    const each = new BoxReader(content);
    const from = each.number(size);
    const count = each.number(2);
    return { type, from, to: Array.from({ length: count }, () => each.number(size)) };
  });
}

function associationsOf(box: Box): Items["has"] {
  const { version, flags, reader } = full(box);
  const has = new Map<number, { property: number; isEssential: boolean }[]>();
  const count = reader.number(4);
  for (let entry = 0; entry < count; entry += 1) {
    const item = reader.number(version === 0 ? 2 : 4);
    const own = has.get(item) ?? [];
    const properties = reader.number(1);
    for (let place = 0; place < properties; place += 1) {
      const wide = (flags & 1) === 1;
      const value = reader.number(wide ? 2 : 1);
      const essential = wide ? 0x8000 : 0x80;
      own.push({ property: value % essential, isEssential: value >= essential });
    }
    has.set(item, own);
  }
  return has;
}

/** Reads the bytes of each item, assembled from its extents. */
function extentsOf(box: Box, file: Buffer, data: Buffer | undefined): Map<number, Buffer> {
  const { version, reader } = full(box);
  const sizes = reader.number(2);
  const [offset, length, base] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15];
  const index = version > 0 ? sizes & 15 : 0;
  const count = reader.number(version < 2 ? 2 : 4);
  const found = new Map<number, Buffer>();
  let left = file.length;
  for (let entry = 0; entry < count; entry += 1) {
    const item = reader.number(version < 2 ? 2 : 4);
    const method = version > 0 ? reader.number(2) & 15 : 0;
    if (reader.number(2) !== 0 || method > 1) throw new UnknownForm("item data in another file");
    const from = reader.number(base);
    const within = method === 1 ? data : file;
    if (!within) throw new UnknownForm("item data is missing");
    const parts: Buffer[] = [];
    const extents = reader.number(2);
    for (let extent = 0; extent < extents; extent += 1) {
      reader.number(index);
      const start = from + reader.number(offset);
      const size = length === 0 ? within.length - start : reader.number(length);
      if (size < 0 || start + size > within.length)
        throw new UnknownForm("item data past the end of the file");
      // Items may share bytes, but pictures do not, so the sum is limited to the file's size.
      left -= size;
      if (left < 0) throw new UnknownForm("items are larger than the file");
      parts.push(within.subarray(start, start + size));
    }
    found.set(item, Buffer.concat(parts));
  }
  return found;
}

/** Reads a file's items. Throws UnknownForm if the file is not structured like a picture. */
export function readItems(file: Buffer): Items {
  const meta = full(childOf(boxesIn(file), "meta"));
  const boxes = boxesIn(meta.reader.rest());
  const optional = (type: string) => boxes.find((box) => box.type === type);
  const pitm = full(childOf(boxes, "pitm"));
  const iprp = boxesIn(childOf(boxes, "iprp").content);
  const bytes = extentsOf(childOf(boxes, "iloc"), file, optional("idat")?.content);
  return {
    primary: pitm.reader.number(pitm.version === 0 ? 2 : 4),
    kinds: kindsOf(childOf(boxes, "iinf")),
    references: referencesOf(optional("iref")),
    properties: boxesIn(childOf(iprp, "ipco").content),
    has: associationsOf(childOf(iprp, "ipma")),
    bytesOf(item) {
      const found = bytes.get(item);
      if (!found) throw new UnknownForm("item without data");
      return found;
    },
  };
}
