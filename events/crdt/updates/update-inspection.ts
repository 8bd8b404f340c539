import { maxNesting, structKind } from "./yjs-content";
import { kindOf, readUpdate, UpdateError } from "./yjs-update";
import type { Id, Range, StructBlock, UpdateParts } from "./yjs-update";

export type InspectedStruct = Range & { dependsOn: Id[] };
/** `emptyTicks` counts the clocks without content. A few bytes can claim millions of them. */
export type InspectedUpdate = {
  parts: UpdateParts;
  structs: InspectedStruct[];
  deletes: Range[];
  emptyTicks: number;
};

function refuseDepth(blocks: StructBlock[]): void {
  const depths = new Map<string, number>();
  for (const { client, structs } of blocks) {
    for (const struct of structs) {
      const above = struct.parent ?? struct.origin ?? struct.rightOrigin;
      const known = above ? (depths.get(`${above.client}:${above.clock}`) ?? 0) : 0;
      const depth = struct.parent ? known + 1 : known;
      if (depth > maxNesting) throw new UpdateError("Update is nested too deeply");
      if (depth > 0) depths.set(`${client}:${struct.clock + struct.length - 1}`, depth);
    }
  }
}

function emptyTicksOf(blocks: StructBlock[]): number {
  let ticks = 0;
  for (const { structs } of blocks) {
    for (const struct of structs)
      if (kindOf(struct) === structKind.gc || kindOf(struct) === structKind.deleted)
        ticks += struct.length;
  }
  return ticks;
}

/**
 * Returns the structs that an update inserts with their dependencies, and the ranges that it
 * deletes, in clocks of each client. Applies nothing. Throws UpdateError on malformed updates and
 * on hostile sizes, depths and keys.
 */
export function inspectUpdate(update: Uint8Array): InspectedUpdate {
  const parts = readUpdate(update);
  const { blocks, deletes } = parts;
  refuseDepth(blocks);
  return {
    parts,
    structs: blocks.flatMap(({ client, structs }) =>
      structs
        .filter((struct) => kindOf(struct) !== structKind.skip)
        .map(({ clock, length, origin, rightOrigin, parent }) => ({
          client,
          clock,
          length,
          dependsOn: [origin, rightOrigin, parent].filter((id) => id !== null),
        })),
    ),
    deletes: deletes.flatMap(({ client, ranges }) => ranges.map((range) => ({ client, ...range }))),
    emptyTicks: emptyTicksOf(blocks),
  };
}
