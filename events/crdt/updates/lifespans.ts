/** A revision after all others: the `died` of content that is alive at the end of the history. */
export const never = 0xffff_ffff;
