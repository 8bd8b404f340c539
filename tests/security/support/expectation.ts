import { places } from "./canaries";
import type { Place } from "./canaries";
import { roles } from "./callers";
import type { Caller, Role } from "./callers";

const writers: readonly Role[] = ["owner", "editor"];
const open: readonly Role[] = [...writers, "commenter", "viewer"];
const restricted: readonly Role[] = ["restricted commenter", "restricted viewer"];
const members: readonly Role[] = [...open, ...restricted];
const people: readonly Role[] = [...members, "removed", "stranger"];

/** Groups of roles with the same access. */
const audiences = {
  nobody: [],
  owner: ["owner"],
  removed: ["removed"],
  outsiders: ["removed", "stranger"],
  writers,
  commenters: [...writers, "commenter", "restricted commenter"],
  open,
  restricted,
  members,
  people,
  /** Callers with a valid key. If they send a token, the token is valid too. */
  keyed: [...people, "anon"],
  everybody: roles,
  /** One of each kind of caller. */
  some: ["owner", "restricted viewer", "stranger", "anon", "expired token"],
  /** Callers with a session who may not see everything. */
  kept: [...restricted, "removed", "stranger"],
  /** Callers whom a page treats as signed out. */
  unknown: ["anon", "account deleted", "expired token", "wrong key", "alg none", "no key"],
  /** The service, which is not a person. */
  service: [],
} satisfies Record<string, readonly Role[]>;
export type Audience = keyof typeof audiences;

export type Shows = Partial<Record<Audience, readonly Place[]>>;

export function isIn(audience: Audience, { role }: Pick<Caller, "role">): boolean {
  // Pages treat the service as signed out.
  if (role === "service") return ["service", "everybody", "unknown"].includes(audience);
  const listed: readonly Role[] = audiences[audience];
  return listed.includes(role);
}

/** Returns the places shown to a caller, in the order of `places`. */
export function shownTo(caller: Pick<Caller, "role">, shows: Shows): Place[] {
  const all = Object.entries(shows).flatMap(([audience, seen]) =>
    isAudience(audience) && isIn(audience, caller) ? seen : [],
  );
  return places.filter((place) => all.includes(place));
}

function isAudience(name: string): name is Audience {
  return name in audiences;
}

/** Whether an invalid key or token stops the caller before any other check. */
export const isForged = ({ role }: Pick<Caller, "role">) =>
  ["account deleted", "expired token", "wrong key", "alg none", "no key"].includes(role);

/** Returns names without an expectation, and expectations without a counterpart. */
export function unmatched(found: readonly string[], expected: object): string[] {
  const known = Object.keys(expected);
  return [
    ...found.filter((name) => !known.includes(name)).map((name) => `no expectation for ${name}`),
    ...known.filter((name) => !found.includes(name)).map((name) => `there is no ${name}`),
  ];
}
