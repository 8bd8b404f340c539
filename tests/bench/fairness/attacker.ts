// The attacker of the benchmark `fairness`, in a separate process so that sending is not measured.
// A message starts the named attack, and "end" ends it. Each message is answered once the attack
// has begun or ended.
import { z } from "zod";
import { attacks } from "./attacks";
import type { Arms } from "./attacks";

const atOnce = 8;
const longestShot = 20_000;
/** Maximum requests per attack. */
const mostShots = 20_000;

const order = z.union([
  z.literal("end"),
  z.object({
    attack: z.string(),
    arms: z.object({
      url: z.string(),
      key: z.string(),
      token: z.string(),
      cookie: z.string(),
      place: z.object({ workspace: z.string(), document: z.string() }),
    }),
  }),
]);

let stop = () => Promise.resolve(0);

async function begin(name: string, arms: Arms): Promise<void> {
  const attack = attacks.find((each) => each.name === name);
  if (!attack) throw new Error(`There is no attack ${name}.`);
  const shots = await attack.shots(arms);
  let isEnding = false;
  let sent = 0;
  // Node 20 may collect the signal of `AbortSignal.any` as garbage while a request waits for it.
  const inFlight = new Set<AbortController>();
  const gun = async () => {
    while (!isEnding && sent < mostShots) {
      const shot = shots[sent % shots.length];
      sent += 1;
      const ending = new AbortController();
      inFlight.add(ending);
      const timer = setTimeout(() => ending.abort(), longestShot);
      // A refusal, a closed connection and a response are equivalent for an attacker.
      await shot?.(arms, ending.signal).catch(() => undefined);
      clearTimeout(timer);
      inFlight.delete(ending);
    }
  };
  const guns = Array.from({ length: name === "slow bodies" ? shots.length : atOnce }, gun);
  stop = async () => {
    isEnding = true;
    for (const ending of inFlight) ending.abort();
    await Promise.all(guns);
    return sent;
  };
}

process.on("message", (message) => {
  void (async () => {
    const given = order.parse(message);
    const sent = given === "end" ? await stop() : await begin(given.attack, given.arms);
    process.send?.({ sent: sent ?? 0 });
  })();
});
process.once("disconnect", () => process.exit());
