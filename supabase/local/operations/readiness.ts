/** Settles when a part works, rejects when it does not. */
export type Check = () => Promise<void>;

export type Readiness = { ready: boolean; checks: Record<string, "ok" | "failed"> };

/** How long, in ms, a part may take to say that it works, and for how long an answer counts. */
const patience = 2_000;
const lasting = 1_000;

/**
 * Tells whether every part works. However often that is asked, the parts are asked once in
 * `lasting` ms, and a part that has not answered yet is not asked again.
 */
export function readinessOf(
  checks: Readonly<Record<string, Check>>,
  now: () => number,
): () => Promise<Readiness> {
  const parts = Object.entries(checks).map(
    ([name, check]) => [name, atMostOnceIn(0, check, now)] as const,
  );
  let last: { at: number; answer: Promise<Readiness> } | null = null;
  return () => {
    if (last === null || now() - last.at >= lasting) last = { at: now(), answer: ask(parts) };
    return last.answer;
  };
}

/**
 * Asks a part once at a time, and once in `rest` ms at most: in between, its last answer counts, or
 * the one that is still awaited.
 */
export function atMostOnceIn(rest: number, check: Check, now: () => number): Check {
  let last: { at: number; answer: Promise<void>; isPending: boolean } | null = null;
  return () => {
    if (last !== null && (last.isPending || now() - last.at < rest)) return last.answer;
    const asked = { at: now(), answer: check(), isPending: true };
    const settle = () => {
      asked.isPending = false;
    };
    asked.answer.then(settle, settle);
    last = asked;
    return asked.answer;
  };
}

async function ask(parts: readonly (readonly [string, Check])[]): Promise<Readiness> {
  const outcomes = await Promise.all(
    parts.map(async ([name, check]) => [name, (await works(check)) ? "ok" : "failed"] as const),
  );
  return {
    ready: outcomes.every(([, outcome]) => outcome === "ok"),
    checks: Object.fromEntries(outcomes),
  };
}

async function works(check: Check): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((settle) => {
    timer = setTimeout(() => settle(false), patience);
  });
  const answer = check().then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
