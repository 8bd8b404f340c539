import type { Containers } from "@/events/crdt/validation/containers";

/** Knows the place of nothing. */
export const nowhere: Containers = { placeOf: () => null, containerAt: () => null };
