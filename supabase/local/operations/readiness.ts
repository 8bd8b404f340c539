/** Resolves if a part works, and rejects if it does not. */
export type Check = () => Promise<void>;

export type Readiness = { ready: boolean; checks: Record<string, "ok" | "failed"> };

/** How long a check may take, and how long its result is cached, in ms. */
const patience = 2_000;
const lasting = 1_000;

/**
 * Checks whether all parts work. Each check runs at most once per `lasting` ms, and one run at a
 * time.
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
 * Wraps a check to run at most once per `rest` ms, one run at a time. In between, returns the last
 * or pending result.
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
