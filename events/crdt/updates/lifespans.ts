/** A revision that never comes: what is alive at the end of the history dies then. */
export const never = 0xffff_ffff;
