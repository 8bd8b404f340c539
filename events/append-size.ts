/**
 * The most decoded bytes of updates that one append carries if it has more than one event: as base64, with what is around
 * them, they stay below the megabyte that the embedded backend and many a proxy take as a request.
 */
export const appendBytes = 512 * 1024
