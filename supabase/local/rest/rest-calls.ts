import { z } from "zod";
import { withDatabaseError } from "../database/database-errors";
import type { Caller } from "../auth/api-key";
import { withBody } from "../http/http";
import { BodyText } from "../http/body-text";
import type { Call } from "../http/call";
import { cellsRefusal } from "../http/request-bounds";
import { refusal } from "../http/refusals";
import { withJsonTexts } from "./json-texts";
import type { JsonNames } from "./json-texts";
import { statusOf } from "./rest-status";

type Fetch = (request: Request) => Promise<Response>;

const faultSchema = z.object({ code: z.string() });
const rowsSchema = z.array(z.record(z.string(), z.unknown())).min(2);

type AnswerRest = (call: Call, body: Uint8Array) => Promise<Response>;

/** Answers `/rest/v1` with Lite, and corrects responses that differ from PostgREST's. */
export function answerRest(lite: Fetch, jsonNames: JsonNames): AnswerRest {
  return async (call, bytes) => {
    const request = await requestFor(call, new BodyText(bytes), jsonNames);
    if (request instanceof Response) return request;
    const { response, error } = await withDatabaseError(() => lite(request));
    if (response.status !== 500 || error === null) return response;
    const fault = faultSchema.safeParse(
      await response
        .clone()
        .json()
        .catch(() => null),
    );
    const { code, detail, hint, message } = error;
    // Lite uses this code for errors that it does not know.
    if (!fault.success || (fault.data.code !== "SUP" && fault.data.code !== code)) return response;
    const status = statusOf(code, { isVisitor: isVisitor(call.caller), isRead: isRead(call.head) });
    return Response.json(
      { code, details: detail ?? null, hint: hint ?? null, message },
      { status, headers: status === 503 ? { "retry-after": "1" } : {} },
    );
  };
}

/** Returns the request for Lite or a refusal. A body without corrections stays unchanged. */
async function requestFor(
  call: Call,
  body: BodyText,
  jsonNames: JsonNames,
): Promise<Request | Response> {
  const { head } = call;
  const converted = await withJsonTexts(call, body, jsonNames);
  const equal = isInsert(call) ? withEqualRows(call, converted ?? { value: body.json }) : null;
  if (equal instanceof Response) return equal;
  const changed = equal ?? converted;
  if (changed === null) return withBody(head, body.bytes);
  const headers = new Headers(head.headers);
  headers.delete("content-length");
  const { url, method } = head;
  return new Request(url, { method, headers, body: JSON.stringify(changed.value) });
}

/** The most parameters in a Postgres statement. */
const mostParameters = 65_534;

/** Whether the caller has only the publishable key. */
const isVisitor = ({ kind, claims }: Caller) => kind === "anybody" && claims === null;

const isRead = ({ method }: Request) => method === "GET" || method === "HEAD";

const isInsert = ({ head, url }: Call) =>
  head.method === "POST" &&
  /^\/rest\/v1\/[^/]+$/.test(url.pathname) &&
  head.headers.get("content-type")?.startsWith("application/json") === true;

/**
 * Fills in null where rows of one insert lack each other's columns, as PostgREST does. Returns null
 * if no row lacks a column. Refuses `missing=default` for such rows, because Lite would store null
 * instead of the default.
 */
function withEqualRows(
  { head, caller }: Call,
  inserted: { value: unknown },
): { value: unknown } | Response | null {
  const rows = rowsSchema.safeParse(inserted.value);
  if (!rows.success) return null;
  const columns = new Set(rows.data.flatMap((row) => Object.keys(row)));
  const tooLarge =
    caller.kind === "service"
      ? cellsRefusal(rows.data.length, columns.size, mostParameters)
      : cellsRefusal(rows.data.length, columns.size);
  if (tooLarge) return tooLarge;
  if (rows.data.every((row) => Object.keys(row).length === columns.size)) return null;
  if (/(^|[\s,])missing=default/.test(head.headers.get("prefer") ?? ""))
    return refusal(
      400,
      "PGRST127",
      "The embedded backend does not offer missing=default for rows that name different columns: insert them separately.",
    );
  const empty = Object.fromEntries([...columns].map((name) => [name, null]));
  return { value: rows.data.map((row) => ({ ...empty, ...row })) };
}
