import type { Asked } from "./asking";
import type { Audience, Shows } from "./expectation";
import type { Target } from "./scene";

/** One request of the matrix. */
export type Case = {
  /** Distinguishes several requests with the same name. */
  how?: string;
  path: (target: Target) => string;
  ask?: (target: Target) => Asked;
  shows: Shows;
  /** What the answer may show in addition, depending on the caller's earlier reads. */
  mayShow?: Shows;
  /**
   * The audience that gets an answer. All others are refused, or get the answer for something
   * nonexistent.
   */
  answers: Audience;
  /** The audience whose calls change stored data. No other call changes data. */
  changes?: Audience;
  /** The callers in `npm test`, if others take the same path. The soak tests use all callers. */
  by?: Audience;
  /** The service does not send this request, which would keep the service busy. */
  notByService?: true;
};
export type Cases = Readonly<Record<string, readonly Case[]>>;
