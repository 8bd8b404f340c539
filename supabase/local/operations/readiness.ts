/** Settles when a part works, rejects when it does not. */
export type Check = () => Promise<void>;

export type Readiness = { ready: boolean; checks: Record<string, "ok" | "failed"> };

/** How long, in ms, a part may take to say that it works, and for how long an answer counts. */
const patience = 2_000;
const lasting = 1_000;

/**
 * Tells whether every part works. However often that is asked, the parts are asked once in
 * `lasting` ms, so that nobody can keep them busy with it.
 */
export function readinessOf(
  checks: Readonly<Record<string, Check>>,
  now: () => number,
): () => Promise<Readiness> {
  let last: { at: number; answer: Promise<Readiness> } | null = null;
  return () => {
    if (last === null || now() - last.at >= lasting) last = { at: now(), answer: ask(checks) };
    return last.answer;
  };
}

async function ask(checks: Readonly<Record<string, Check>>): Promise<Readiness> {
  const outcomes = await Promise.all(
    Object.entries(checks).map(
      async ([name, check]) => [name, (await works(check)) ? "ok" : "failed"] as const,
    ),
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
