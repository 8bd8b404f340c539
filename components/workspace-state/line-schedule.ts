/** The service derives a line some seconds after something happened: so often it is asked for at first. */
export const askEvery = 5_000;
const soon = 6;
const later = 12;

/**
 * Whether lines that are behind their document are asked for in this round of `askEvery`, the first
 * being 0: half a minute long in each, and then once a minute for as long as they are behind, since
 * a service that is busy derives them late.
 */
export const isAsked = (round: number): boolean => round < soon || round % later === 0;
