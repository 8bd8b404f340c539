import * as z from "zod/mini";

/** An id in a body: a UUID in small letters, as the log writes them, because readers compare it as text. */
export const writtenId = z.guid().check(z.lowercase());
