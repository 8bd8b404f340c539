import type { Asked } from "./asking";
import type { Audience, Shows } from "./expectation";
import type { Target } from "./scene";

/** One request of the matrix. */
export type Case = {
  /** Distinguishes several requests of one name. */
  how?: string;
  path: (target: Target) => string;
  ask?: (target: Target) => Asked;
  shows: Shows;
  /** What it may show in addition, depending on what the caller has read before. */
  mayShow?: Shows;
  /**
   * The audience that gets an answer; all others are refused, or get the answer for something
   * nonexistent.
   */
  answers: Audience;
  /** The audience whose calls change stored data; no other call does. */
  changes?: Audience;
  /** The callers in `npm test` if others take the same path; the soak tests use all callers. */
  by?: Audience;
  /** Not requested by the service, which it would keep busy. */
  notByService?: true;
};
export type Cases = Readonly<Record<string, readonly Case[]>>;
