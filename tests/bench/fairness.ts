import { fork } from "node:child_process";
import { once } from "node:events";
import { constants, cpus, loadavg, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { dearPlace } from "@/tests/support/dear/dear-places";
import { mainThreadWatch } from "@/tests/support/main-thread/main-thread";
import { sessionCookies } from "@/tests/support/writers/pages";
import { signUp } from "@/tests/support/writers/people";
import { startStack } from "@/tests/support/product/stack";
import { meet } from "@/tests/support/writers/writers";
import { attacks } from "./fairness/attacks";
import type { Arms } from "./fairness/attacks";
import { deeds, victim } from "./fairness/victim";
import type { Times } from "./fairness/victim";
import { percentile } from "./figures/percentile";

const seconds = Number(process.env.SECONDS ?? 6);
const chosen = process.env.ATTACKS?.split(",");
const most = { ratio: 2 };
/** A timer's delay on a busy machine, in ms. Smaller differences are noise. */
const floor = { wall: 20, turn: 50 };
/** Each of these people signs in a few times, as often as an account may. */
const sleeperCount = 20;

const thread = mainThreadWatch();
type Phase = { times: Times; thread: Awaited<ReturnType<typeof thread.since>> };

const ms = (value: number) => value.toFixed(0);
const p = (times: readonly number[], share: number) => percentile(times, share);

function attackerProcess() {
  const file = fileURLToPath(new URL("fairness/attacker.ts", import.meta.url));
  const child = fork(file, { execArgv: ["--import", "tsx"], stdio: "inherit" });
  // An attacker has a separate machine. Here the attacker only gets CPU time that the others leave.
  if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const exit = once(child, "exit").then(() => {
    throw new Error("The attacker’s process ended early.");
  });
  exit.catch(() => undefined);
  const order = async (message: { attack: string; arms: Arms } | "end") => {
    const answer = once(child, "message");
    child.send(message);
    await Promise.race([answer, exit]);
  };
  return {
    begin: (attack: string, arms: Arms) => order({ attack, arms }),
    end: () => order("end"),
    leave: () => child.disconnect(),
  };
}

/**
 * Prints a table of two calm phases with the attack between them. Returns whether the attack was
 * handled fairly.
 */
function report(name: string, calm: readonly Phase[], storm: Phase): boolean {
  console.log(`\n${name}`);
  let isFair = true;
  for (const deed of deeds) {
    const before = calm.flatMap(({ times }) => times[deed]);
    const during = storm.times[deed];
    const [usual, late] = [p(before, 0.99), p(during, 0.99)];
    const isLate = !(late <= Math.max(most.ratio * usual, usual + floor.wall));
    if (isLate) isFair = false;
    console.log(
      `  ${deed.padEnd(10)} p50 ${ms(p(before, 0.5))} → ${ms(p(during, 0.5))} ms, ` +
        `p99 ${ms(usual)} → ${ms(late)} ms (${(late / usual).toFixed(1)}×, ${during.length} times)` +
        (isLate ? "  LATE" : ""),
    );
  }
  const usual = Math.max(...calm.map((phase) => phase.thread.longest));
  const { longest, ran, delay: late } = storm.thread;
  const isHeld = longest > Math.max(most.ratio * usual, floor.turn);
  const calmDelay = Math.max(...calm.map((phase) => phase.thread.delay.p99));
  console.log(
    `  main thread longest turn ${ms(usual)} → ${ms(longest)} ms of processor time` +
      `${isHeld ? "  HELD UP" : ""}, ran ${ms(ran)} ms, timers late p99 ${ms(calmDelay)} → ${ms(late.p99)} ms`,
  );
  if (storm.times.unanswered > 0) console.log(`  UNANSWERED: ${storm.times.unanswered}`);
  return isFair && !isHeld && storm.times.unanswered === 0;
}

const stack = await startStack({ env: { WARM_UP: "1", ...thread.env } });
const attacker = attackerProcess();
try {
  const people = await Promise.all(["Ana", "Mallory"].map((name) => signUp(stack, name)));
  const [ana, mallory] = people;
  if (!ana || !mallory) throw new Error("Missing accounts");
  const sleepers = [];
  for (let count = 0; count < sleeperCount; count += 1) sleepers.push(await signUp(stack, "Ben"));
  const document = await meet([ana]);
  const arms: Arms = {
    url: stack.url,
    key: stack.keys.publishableKey,
    token: await mallory.accessToken(),
    cookie: (await sessionCookies(mallory)).map(({ name, value }) => `${name}=${value}`).join("; "),
    place: await dearPlace(mallory, stack.dataDir, 1_000),
  };
  const writer = await victim(stack, ana, document, sleepers);
  const phase = async (): Promise<Phase> => {
    await thread.since();
    const times = await writer.live(seconds * 1_000);
    return { times, thread: await thread.since() };
  };
  console.log(
    `One account, or nobody, sends the dearest cheap requests, 8 at once, for ${seconds} s each; ` +
      `${cpus().length} cores, load ${loadavg()[0]?.toFixed(1) ?? "?"}`,
  );
  await phase();
  let before = await phase();
  let unfair = 0;
  for (const { name } of attacks.filter((attack) => chosen?.includes(attack.name) ?? true)) {
    await attacker.begin(name, arms);
    await delay(500);
    const storm = await phase();
    await attacker.end();
    // Abandoned requests of the attacker finish in this time.
    await delay(2_000);
    const behind = await phase();
    if (!report(name, [before, behind], storm)) unfair += 1;
    before = behind;
  }
  await writer.leave();
  console.log(`\n${unfair === 0 ? "Fair" : `Unfair in ${unfair} of ${attacks.length} attacks`}.`);
  if (unfair > 0) process.exitCode = 1;
} finally {
  attacker.leave();
  await stack.dispose();
}
