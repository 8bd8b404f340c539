import * as z from "zod/mini";

/**
 * An id in a body: a lower-case UUID, as the log writes ids, because readers compare them as text.
 */
export const writtenId = z.guid().check(z.lowercase());
