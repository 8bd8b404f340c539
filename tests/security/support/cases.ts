import type { Asked } from "./asking";
import type { Audience, Shows } from "./expectation";
import type { Target } from "./scene";

/** One way to ask for something. */
export type Case = {
  /** Which way, where there are several. */
  how?: string;
  path: (target: Target) => string;
  ask?: (target: Target) => Asked;
  shows: Shows;
  /** What it may show as well, by what the caller has read before. */
  mayShow?: Shows;
  /** Who is answered something; everybody else is refused, or told what is told of nothing. */
  answers: Audience;
  /** Whose call changes what is stored; that of nobody else does. */
  changes?: Audience;
  /** Who asks for it in `npm test`, where others are served by the very same; everybody does in the soak tests. */
  by?: Audience;
  /** Not asked by the service, which it would keep busy. */
  notByService?: true;
};
export type Cases = Readonly<Record<string, readonly Case[]>>;
