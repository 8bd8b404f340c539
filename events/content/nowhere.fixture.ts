import type { Containers } from "@/events/crdt/validation/containers";

/** Containers that know no place. */
export const nowhere: Containers = { placeOf: () => null, containerAt: () => null };
