import { z } from "zod";
import { withDatabaseError } from "./database-errors";
import { withBody } from "./http";
import { cellsRefusal } from "./http/request-bounds";
import { refusal } from "./refusals";
import { type JsonNames, withJsonTexts } from "./rest/json-texts";
import { statusOf } from "./rest-status";

type Fetch = (request: Request) => Promise<Response>;

const faultSchema = z.object({ code: z.string() });
const rowsSchema = z.array(z.record(z.string(), z.unknown())).min(2);

/** Answers `/rest/v1`: Lite, with its responses corrected where they differ from PostgREST's. */
export function answerRest(lite: Fetch, jsonNames: JsonNames): Fetch {
  return async (request) => {
    const whole = await withEqualRows(await withJsonTexts(request, jsonNames));
    if (whole instanceof Response) return whole;
    const { response, error } = await withDatabaseError(() => lite(whole));
    if (response.status !== 500 || error === null) return response;
    const fault = faultSchema.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    const { code, detail, hint, message } = error;
    // Lite's code for errors that it does not know.
    if (!fault.success || (fault.data.code !== "SUP" && fault.data.code !== code)) return response;
    const status = statusOf(code, { isVisitor: isVisitor(request), isRead: isRead(request) });
    return Response.json(
      { code, details: detail ?? null, hint: hint ?? null, message },
      { status, headers: status === 503 ? { "retry-after": "1" } : {} },
    );
  };
}

/** The most parameters in a Postgres statement. */
const mostParameters = 65_534;

/** The gateway has already verified the key. */
const isService = ({ headers }: Request) => (headers.get("apikey") ?? "").startsWith("sb_secret_");

/** Whether the caller has only the publishable key. */
const isVisitor = ({ headers }: Request) =>
  !headers.has("authorization") && (headers.get("apikey") ?? "").startsWith("sb_publishable_");

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

/**
 * Fills in null where rows of one insert lack each other's columns, as PostgREST does. Refuses
 * `missing=default` for such rows, because Lite would store null instead of the default.
 */
async function withEqualRows(request: Request): Promise<Request | Response> {
  const isInsert =
    request.method === "POST" &&
    /^\/rest\/v1\/[^/]+$/.test(new URL(request.url).pathname) &&
    request.headers.get("content-type")?.startsWith("application/json");
  if (!isInsert) return request;
  const body = new Uint8Array(await request.arrayBuffer());
  const { url, method, headers } = request;
  const same = () => withBody(new Request(url, { method, headers }), body);
  const rows = rowsSchema.safeParse(parsed(body));
  if (!rows.success) return same();
  const columns = new Set(rows.data.flatMap((row) => Object.keys(row)));
  const tooLarge = isService(request)
    ? cellsRefusal(rows.data.length, columns.size, mostParameters)
    : cellsRefusal(rows.data.length, columns.size);
  if (tooLarge) return tooLarge;
  if (rows.data.every((row) => Object.keys(row).length === columns.size)) return same();
  if (/(^|[\s,])missing=default/.test(request.headers.get("prefer") ?? ""))
    return refusal(
      400,
      "PGRST127",
      "The embedded backend does not offer missing=default for rows that name different columns: insert them separately.",
    );
  const empty = Object.fromEntries([...columns].map((name) => [name, null]));
  const mended = new Headers(headers);
  mended.delete("content-length");
  const equal = rows.data.map((row) => ({ ...empty, ...row }));
  return new Request(url, { method, headers: mended, body: JSON.stringify(equal) });
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
}
