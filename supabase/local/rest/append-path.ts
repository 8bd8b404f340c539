import postgres from "postgres";
import { z } from "zod";
import { BodyText } from "../http/body-text";
import type { Call } from "../http/call";
import { json, nestedTooDeeply, tooBusy } from "./append-answers";
import type { Answered } from "./append-answers";
import { AppendTurns, mostAppends } from "./append-turns";
import type { AppendEnd } from "./append-turns";
import { workspaceOfStream } from "./workspace-of-stream";

type AnswerRest = (call: Call, body: Uint8Array) => Promise<Response>;

const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/** The body that supabase-js sends. Other forms are answered by Lite, with the same result. */
const callSchema = z.strictObject({
  stream: uuid,
  expected_version: z.int().nonnegative().nullable(),
  events: z.array(z.unknown()),
  actor: uuid.nullable().optional(),
});
/** The fields that determine a call's turn, in any shape. */
const namedSchema = z.object({ stream: uuid, events: z.array(z.unknown()).catch([]) });
const faultSchema = z.object({ code: z.string() });
const plainHeaders = new Set(["*/*", "application/json", null]);

const isAppend = ({ head: { method, url } }: Call) =>
  method === "POST" && url.endsWith("/rest/v1/rpc/append_events");

/** Whether a call has supabase-js' headers. */
function isPlainCall({ headers }: Request): boolean {
  return (
    headers.get("content-type") === "application/json" &&
    plainHeaders.has(headers.get("accept")) &&
    (headers.get("content-profile") ?? "public") === "public" &&
    (headers.get("accept-profile") ?? "public") === "public" &&
    !headers.has("prefer") &&
    !headers.has("range")
  );
}

type AppendPath = {
  /** Answers a call. An append is dropped if its caller disconnects while it waits. */
  answer: AnswerRest;
  /** The number of appends waiting for their turn. */
  readonly waiting: number;
  close(): Promise<void>;
};

/** How long an append may wait for its turn, in ms. */
const patience = 4_000;
/** SQLSTATEs of timeouts, deadlocks, and a server without connections, memory or disk space. */
const passing = /^(57014|57P0|55P03|40|53|58)/;

const stackDepthExceeded = "54001";

/**
 * Answers calls of append_events with one statement on separate connections, and forwards other
 * calls to `rest`. Most requests of a document are appends, and REST takes several times the
 * processor time. A call that fails before it runs, such as one with an argument of another type,
 * is repeated through `rest`. A call that timed out is not repeated. On both paths an append takes
 * a turn before it takes a connection.
 */
export function appendPath(options: {
  databaseUrl: string;
  rest: AnswerRest;
  /** Reports the outcome of each append and its duration in seconds. */
  counted: (outcome: string, seconds: number) => void;
}): AppendPath {
  const { rest, counted } = options;
  const connected = (max: number, timeout: number) =>
    postgres(options.databaseUrl, {
      max,
      onnotice: () => undefined,
      // The same timeout as for REST (supabase/local/database/lite.ts), in ms.
      connection: { statement_timeout: timeout },
    });
  const sql = connected(mostAppends.together, 8000);
  const lookups = connected(1, 2000);
  const workspaceOf = workspaceOfStream(lookups);
  const turns = new AppendTurns();
  const answer: AnswerRest = async (call, body) => {
    if (!isAppend(call)) return rest(call, body);
    const begun = performance.now();
    const done = (outcome: string) => counted(outcome, (performance.now() - begun) / 1000);
    try {
      const { response, outcome } = await inTurn(call, body);
      done(outcome);
      return response;
    } catch (error) {
      done("failed");
      throw error;
    }
  };
  const inTurn = async (call: Call, body: Uint8Array): Promise<Answered> => {
    const { claims } = call.caller;
    const { json: read } = new BodyText(body);
    const isPlain = isPlainCall(call.head) && claims?.role === "authenticated";
    const plain = isPlain ? callSchema.safeParse(read).data : undefined;
    const named = plain ?? namedSchema.safeParse(read).data;
    const account = String(claims?.sub ?? "");
    const { stream = `of ${account}`, events = [] } = named ?? {};
    const workspace = named ? await workspaceOf(stream, events) : null;
    const late = AbortSignal.timeout(patience);
    const release = await turns.take(
      { account, stream, workspace, throughRest: plain === undefined },
      AbortSignal.any([call.gone, late]),
    );
    if (release === null) return tooBusy("55P03");
    let end: AppendEnd = "answered";
    try {
      const answered =
        (plain && claims && (await direct(claims, plain))) ?? (await through(call, body));
      if (answered.response.status === 503) end = "timed-out";
      return answered;
    } finally {
      release(end);
    }
  };
  /** Returns null if the call did not run, so that REST can explain why. */
  const direct = async (
    claims: object,
    { stream, expected_version: expected, events, actor = null }: z.infer<typeof callSchema>,
  ): Promise<Answered | null> => {
    try {
      const [row] = await sql<{ rulings: string }[]>`
        select embedded.append_events(${JSON.stringify(claims)}, ${stream}, ${expected},
          ${JSON.stringify(events)}::text::jsonb, ${actor}) as rulings`;
      const response = json(200, row?.rulings ?? "null", { "content-range": "0-0/*" });
      return { response, outcome: "recorded" };
    } catch (error) {
      if (!(error instanceof postgres.PostgresError)) return null;
      const { code, message } = error;
      if (passing.test(code)) return tooBusy(code);
      const status = /^PT(\d{3})$/.exec(code)?.[1];
      if (!status) return null;
      const body = { code, details: error.detail ?? null, hint: error.hint ?? null, message };
      return { response: json(Number(status), JSON.stringify(body)), outcome: message };
    }
  };
  const through = async (call: Call, body: Uint8Array): Promise<Answered> => {
    const response = await rest(call, body);
    if (response.status >= 500) {
      const fault = faultSchema.safeParse(
        await response
          .clone()
          .json()
          .catch(() => null),
      );
      const code = fault.data?.code ?? "";
      if (passing.test(code)) return tooBusy(code);
      // REST forwards a string of events as JSON, which Postgres parses before it calls our
      // function.
      if (code === stackDepthExceeded) return nestedTooDeeply();
    }
    const refused = response.status < 500 ? "refused" : "failed";
    return { response, outcome: response.ok ? "recorded" : refused };
  };
  return {
    answer,
    get waiting() {
      return turns.waiting;
    },
    close: async () => {
      await Promise.all([sql, lookups].map((pool) => pool.end({ timeout: 0.5 })));
    },
  };
}
