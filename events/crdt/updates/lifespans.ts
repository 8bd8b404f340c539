/** A revision that never comes: the death of what is alive at the end of the history. */
export const never = 0xffff_ffff;
