import type { Answer, Asked } from "./asking";
import { told } from "./asking";
import { placesIn, readable } from "./canaries";
import type { Place } from "./canaries";
import type { Case, Cases } from "./cases";
import type { Caller } from "./callers";
import { isIn, shownTo } from "./expectation";
import type { Scene, Target } from "./scene";

type Ask = (caller: Caller, path: string, asked?: Asked) => Promise<Answer>;

const isThorough = process.env["SOAK"] === "1";
/** The bodies of answers without content. */
const nothing = ["", "null", "[]", "{}", "false"];
/** The marker of a missing page in the data for Next's client. */
const missing = "NEXT_HTTP_ERROR_FALLBACK;404";

/**
 * Sends each case as every caller, and returns the deviations: an answer, a canary or a changed row
 * without the right to it, or its absence despite the right.
 */
export async function audit(
  cases: Cases,
  callers: readonly Caller[],
  scenes: readonly Scene[],
  ask: Ask,
  state: () => Promise<string>,
): Promise<string[]> {
  const faults: string[] = [];
  for (const [name, one] of named(cases)) {
    const mayChange = (caller: Caller) => one.changes !== undefined && isIn(one.changes, caller);
    const round = async (some: readonly Caller[]) => {
      const before = await state();
      const found = await Promise.all(
        some.map(async (caller) => faultsOf(one, caller, scenes, await send(one, caller, ask))),
      );
      faults.push(...found.flat().map((fault) => `${name}: ${fault}`));
      return (await state()) !== before;
    };
    const asking = callers.filter((caller) =>
      caller.role === "service"
        ? isIn(one.answers, caller) && !one.notByService
        : one.by === undefined || isThorough || isIn(one.by, caller),
    );
    // Callers who may change data come last, one by one. The first such caller shows that the
    // change works.
    if (await round(asking.filter((caller) => !mayChange(caller) && caller.role !== "service")))
      faults.push(`${name}: changed by somebody who may not`);
    const [first, ...others] = asking.filter(mayChange);
    if (first && !(await round([first]))) faults.push(`${name}: not changed by ${first.role}`);
    for (const other of others) await round([other]);
    await round(asking.filter(({ role }) => role === "service"));
  }
  return faults;
}

/** Returns every case with its name. */
export function named(cases: Cases): [string, Case][] {
  return Object.entries(cases).flatMap(([name, list]) =>
    list.map((one): [string, Case] => [[name, one.how ?? ""].join(" ").trim(), one]),
  );
}

export const send = (one: Case, caller: Caller, ask: Ask, target: Target = caller.scene) =>
  ask(caller, one.path(target), one.ask?.(target));

function faultsOf(one: Case, caller: Caller, scenes: readonly Scene[], answer: Answer): string[] {
  const { role, scene } = caller;
  const says = (fault: string) => `${role} (${answer.status}) ${fault}`;
  if (role === "service")
    return [401, 403, 404].includes(answer.status) ? [says("is refused")] : [];
  const isTold =
    answer.status < 300 &&
    !nothing.includes(answer.bytes.toString("latin1")) &&
    !answer.bytes.includes(missing);
  const mayBeTold = isIn(one.answers, caller);
  const sent = one.path(scene) + JSON.stringify(one.ask?.(scene) ?? null);
  const expected = shownTo(caller, one.shows);
  const text = readable(told(answer));
  const faults = scenes.flatMap((each) => {
    // Text that the caller sent itself reveals nothing.
    const seen = placesIn(text, each.canaries).filter(
      (place) => !sent.includes(each.canaries[place]),
    );
    const rightful =
      each === scene ? expected.filter((place) => !sent.includes(each.canaries[place])) : [];
    const allowed = each === scene ? shownTo(caller, one.mayShow ?? {}) : [];
    const isAllowed = (place: Place) => rightful.includes(place) || allowed.includes(place);
    return [
      ...seen.filter((place) => !isAllowed(place)).map((place) => says(`sees ${place}`)),
      ...rightful.filter((place) => !seen.includes(place)).map((place) => says(`lacks ${place}`)),
    ];
  });
  if (isTold && !mayBeTold) faults.push(says("is answered"));
  // A caller who may write can get an empty success.
  if (!isTold && mayBeTold && !(one.changes && answer.status < 300))
    faults.push(says("is not answered"));
  return faults;
}
