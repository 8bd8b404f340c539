import * as z from "zod/mini";

/**
 * An id in a body: a lower-case UUID, as the log writes it, because readers compare ids as text.
 */
export const writtenId = z.guid().check(z.lowercase());
