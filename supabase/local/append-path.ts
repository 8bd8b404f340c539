import postgres from "postgres";
import { z } from "zod";
import { withBody } from "./http";
import { verifyToken } from "./tokens";

type Fetch = (request: Request) => Promise<Response>;

const utf8 = new TextDecoder();
const uuid = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

/**
 * Where the answers are the same for what is written differently, Lite gives them: so only the
 * shape that supabase-js sends is taken here.
 */
const callSchema = z.strictObject({
  stream: uuid,
  expected_version: z.int().nonnegative().nullable(),
  events: z.array(z.unknown()),
  actor: uuid.nullable().optional(),
});
const plainHeaders = new Set(["*/*", "application/json", null]);

const isAppend = ({ method, url }: Request) =>
  method === "POST" && url.endsWith("/rest/v1/rpc/append_events");

/** The token of a call to append_events in the plain shape; null for every other. */
function plainToken({ headers }: Request): string | null {
  const isPlain =
    headers.get("content-type") === "application/json" &&
    plainHeaders.has(headers.get("accept")) &&
    (headers.get("content-profile") ?? "public") === "public" &&
    (headers.get("accept-profile") ?? "public") === "public" &&
    !headers.has("prefer") &&
    !headers.has("range");
  return isPlain
    ? (/^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? null)
    : null;
}

/** `outcome`: recorded, failed, or the name of the refusal; "refused" where REST has answered. */
type Answered = { response: Response; outcome: string };

type AppendPath = {
  answer(head: Request, body: Uint8Array): Promise<Response>;
  close(): Promise<void>;
};

/**
 * Answers calls of append_events by one statement on connections of its own, everything else by
 * `rest`: most calls that a document makes are these, and through REST each costs several times the
 * processor time. What goes wrong in any way but a refusal is asked of `rest` again, whose answer
 * counts; a repeated append changes nothing.
 */
export function appendPath(options: {
  databaseUrl: string;
  jwtSecret: string;
  rest: Fetch;
  /** Is told what became of each append, and how many seconds it took. */
  counted: (outcome: string, seconds: number) => void;
}): AppendPath {
  const { jwtSecret, rest, counted } = options;
  const sql = postgres(options.databaseUrl, {
    max: 8,
    onnotice: () => undefined,
    // As for REST (supabase/local/lite.ts), in ms.
    connection: { statement_timeout: 8000 },
  });
  const answer = async (head: Request, body: Uint8Array): Promise<Response> => {
    if (!isAppend(head)) return rest(withBody(head, body));
    const begun = performance.now();
    const done = (outcome: string) => counted(outcome, (performance.now() - begun) / 1000);
    try {
      const { response, outcome } = await append(head, body);
      done(outcome);
      return response;
    } catch (error) {
      done("failed");
      throw error;
    }
  };
  const append = async (head: Request, body: Uint8Array): Promise<Answered> => {
    const again = async () => {
      const response = await rest(withBody(head, body));
      const refused = response.status < 500 ? "refused" : "failed";
      return { response, outcome: response.ok ? "recorded" : refused };
    };
    const token = plainToken(head);
    const claims = token && verifyToken(token, jwtSecret, Date.now() / 1000);
    if (!claims || claims.role !== "authenticated") return again();
    const call = callSchema.safeParse(parsed(utf8.decode(body)));
    if (!call.success) return again();
    const { stream, expected_version: expected, events, actor = null } = call.data;
    try {
      const [row] = await sql<{ rulings: string }[]>`
        select embedded.append_events(${JSON.stringify(claims)}, ${stream}, ${expected},
          ${JSON.stringify(events)}::text::jsonb, ${actor}) as rulings`;
      const response = json(200, row?.rulings ?? "null", { "content-range": "0-0/*" });
      return { response, outcome: "recorded" };
    } catch (error) {
      const status = error instanceof postgres.PostgresError && /^PT(\d{3})$/.exec(error.code)?.[1];
      if (!status) return again();
      const { code, message } = error;
      const body = { code, details: error.detail ?? null, hint: error.hint ?? null, message };
      return { response: json(Number(status), JSON.stringify(body)), outcome: message };
    }
  };
  return { answer, close: () => sql.end({ timeout: 0.5 }) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function json(status: number, body: string, headers: Record<string, string> = {}): Response {
  return new Response(body, {
    status,
    headers: {
      "content-type": "application/json; charset=utf-8",
      "content-length": String(Buffer.byteLength(body)),
      ...headers,
    },
  });
}
