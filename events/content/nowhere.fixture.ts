import { type Containers } from "./containers";

/** Of what was there before nothing is known. */
export const nowhere: Containers = { placeOf: () => null, containerAt: () => null };
