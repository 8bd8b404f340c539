import { type Containers } from "@/events/crdt/validation/containers";

/** Of what was there before nothing is known. */
export const nowhere: Containers = { placeOf: () => null, containerAt: () => null };
