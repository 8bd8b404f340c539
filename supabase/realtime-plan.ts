const plans = ["free", "pro", "team"] as const;
export type Plan = (typeof plans)[number];

/** Realtime messages per second on each hosted plan, counting every delivery. */
export const messagesPerSecond = { free: 100, pro: 500, team: 2500 } satisfies Record<Plan, number>;

/** Parses the name of a hosted plan. Returns null if the name is empty, throws if it is unknown. */
export function planNamed(text: string | undefined): Plan | null {
  if (!text) return null;
  const known = plans.find((name) => name === text.toLowerCase());
  if (!known) throw new Error(`REALTIME_PLAN must be one of ${plans.join(", ")}, not "${text}".`);
  return known;
}
