const plans = ["free", "pro", "team"] as const;
export type Plan = (typeof plans)[number];

/** How many Realtime messages per second a hosted plan lets through, every delivery counted. */
export const messagesPerSecond = { free: 100, pro: 500, team: 2500 } satisfies Record<Plan, number>;

/** Reads the name of a hosted plan; null without one, and a sentence thrown for a name that no plan has. */
export function planNamed(text: string | undefined): Plan | null {
  if (!text) return null;
  const known = plans.find((name) => name === text.toLowerCase());
  if (!known) throw new Error(`REALTIME_PLAN must be one of ${plans.join(", ")}, not "${text}".`);
  return known;
}
