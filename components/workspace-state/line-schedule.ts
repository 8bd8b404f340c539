/**
 * The interval of requests for lines, in ms. The server derives a line some seconds after its
 * events.
 */
export const askEvery = 5_000;
const soon = 6;
const later = 12;

/**
 * Whether missing lines are requested in this round of `askEvery`, counted from 0. Requests are
 * sent in every round for half a minute, then once a minute, because a busy server derives lines
 * late.
 */
export const isAsked = (round: number): boolean => round < soon || round % later === 0;
