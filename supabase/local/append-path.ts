import postgres from "postgres";
import { z } from "zod";
import { withBody } from "./http";
import { verifyToken } from "./tokens";

type Fetch = (request: Request) => Promise<Response>;

const utf8 = new TextDecoder();

/**
 * Where the answers are the same for what is written differently, Lite gives them: so only the
 * shape that supabase-js sends is taken here.
 */
const callSchema = z.strictObject({
  stream: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
  expected_version: z.int().nonnegative().nullable(),
  events: z.array(z.unknown()),
});
const plainHeaders = new Set(["*/*", "application/json", null]);

/** The token of a call to append_events in the plain shape; null for every other request. */
function plainToken(request: Request): string | null {
  if (request.method !== "POST" || !request.url.endsWith("/rest/v1/rpc/append_events")) return null;
  const { headers } = request;
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
}): AppendPath {
  const { jwtSecret, rest } = options;
  const sql = postgres(options.databaseUrl, {
    max: 8,
    onnotice: () => undefined,
    // As for REST (supabase/local/lite.ts), in ms.
    connection: { statement_timeout: 8000 },
  });
  const answer = async (head: Request, body: Uint8Array): Promise<Response> => {
    const again = () => rest(withBody(head, body));
    const token = plainToken(head);
    const claims = token && verifyToken(token, jwtSecret, Date.now() / 1000);
    if (!claims || claims.role !== "authenticated") return again();
    const call = callSchema.safeParse(parsed(utf8.decode(body)));
    if (!call.success) return again();
    const { stream, expected_version: expected, events } = call.data;
    try {
      const [row] = await sql<{ rulings: string }[]>`
        select embedded.append_events(${JSON.stringify(claims)}, ${stream}, ${expected},
          ${JSON.stringify(events)}::text::jsonb) as rulings`;
      return json(200, row?.rulings ?? "null", { "content-range": "0-0/*" });
    } catch (error) {
      const status = error instanceof postgres.PostgresError && /^PT(\d{3})$/.exec(error.code)?.[1];
      if (!status) return again();
      const { code, message } = error;
      const body = { code, details: error.detail ?? null, hint: error.hint ?? null, message };
      return json(Number(status), JSON.stringify(body));
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
