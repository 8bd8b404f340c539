import { FairTurns } from "./fair-turns";

/**
 * The turns in which uploads are looked at: each is in memory as a whole, with its pixels. A page has
 * three under way: nobody has more waiting than a few tabs of theirs bring.
 */
export const uploadTurns = new FairTurns(12);
