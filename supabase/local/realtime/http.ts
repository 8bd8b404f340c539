import type { Caller } from "@/supabase/local/auth/api-key";
import { AuthorizationFault } from "./authorizer";
import type { AccessContext } from "./authorizer";
import { isObject } from "./frames/frame";
import type { Json } from "./frames/frame";
import type { Hub } from "./hub";
import { personOf } from "./shares";
import { claimsOfKey } from "./token";
import type { Claims } from "./token";

const mostBytes = 5_000_000;
/** The most private topics in a request, each of which costs a database query. */
const mostPrivateTopics = 100;

type Batched = { topic: string; event: string; text: string; private: boolean; id: string | null };

function json(status: number, body: Json): Response {
  return Response.json(body, { status });
}

const accepted = () => new Response(null, { status: 202 });
const tooFast = () => json(429, { message: "You have exceeded your rate limit" });

/** Returns the claims of the key or token in a request's headers, or null without either. */
function identify(hub: Hub, { headers }: Request, caller: Caller | null): Claims | null {
  const bearer = /^bearer\s+(.+)$/i.exec(headers.get("authorization") ?? "")?.[1];
  const token = bearer ?? headers.get("apikey");
  if (token === null) return null;
  if (caller !== null)
    return caller.claims ?? claimsOfKey(caller.kind === "service" ? "service_role" : "anon");
  const verdict = hub.verify(token, hub.clock.now());
  return verdict.ok ? verdict.claims : null;
}

async function readBody(request: Request): Promise<Buffer | null> {
  if (Number(request.headers.get("content-length") ?? 0) > mostBytes) return null;
  const bytes = Buffer.from(await request.arrayBuffer());
  return bytes.length > mostBytes ? null : bytes;
}

function parse(body: Buffer): Json | undefined {
  try {
    const value: Json = JSON.parse(body.toString());
    return value;
  } catch {
    return undefined;
  }
}

function contextOf(request: Request, claims: Claims, topic: string): AccessContext {
  return { topic, claims, headers: Object.fromEntries(request.headers) };
}

function readMessage(
  hub: Hub,
  value: Json,
): { message: Batched } | { errors: { [field: string]: string[] } } {
  const fields = isObject(value) ? value : {};
  const errors: { [field: string]: string[] } = {};
  const text = (name: "topic" | "event"): string => {
    const field = fields[name];
    if (typeof field === "string" && field.trim() !== "") return field;
    errors[name] = [
      field === undefined || field === null || field === "" ? "can't be blank" : "is invalid",
    ];
    return "";
  };
  const topic = text("topic");
  const event = text("event");
  const { payload, id } = fields;
  if (payload === undefined || payload === null) errors.payload = ["can't be blank"];
  else if (!isObject(payload)) errors.payload = ["is invalid"];
  const payloadText = JSON.stringify(payload ?? null);
  if (Buffer.byteLength(payloadText) > hub.usage.limits.payloadBytes)
    errors.payload = ["Payload size exceeds tenant limit"];
  if (Object.keys(errors).length > 0) return { errors };
  const meta = typeof id === "string" ? `,"meta":${JSON.stringify({ id })}` : "";
  const announced = `{"type":"broadcast","event":${JSON.stringify(event)},"payload":${payloadText}${meta}}`;
  const isPrivate = fields.private === true || fields.private === "true";
  return {
    message: {
      topic,
      event,
      text: announced,
      private: isPrivate,
      id: typeof id === "string" ? id : null,
    },
  };
}

async function batch(hub: Hub, request: Request, claims: Claims, body: Buffer): Promise<Response> {
  const root = parse(body);
  const list = isObject(root) ? root.messages : undefined;
  if (!Array.isArray(list))
    return json(422, {
      errors: { messages: [list === undefined ? "can't be blank" : "is invalid"] },
    });
  const read = list.map((value) => readMessage(hub, value));
  if (read.some((one) => "errors" in one)) {
    return json(422, {
      errors: { messages: read.map((one) => ("errors" in one ? one.errors : {})) },
    });
  }
  const { messages, limits } = hub.usage;
  if (messages.average > limits.messagesPerSecond) return tooFast();
  if (messages.average + list.length > limits.messagesPerSecond) {
    return json(429, { message: "Too many messages to broadcast, please reduce the batch size" });
  }

  const parsed = read.flatMap((one) => ("message" in one ? [one.message] : []));
  if (
    new Set(parsed.filter((one) => one.private).map(({ topic }) => topic)).size > mostPrivateTopics
  ) {
    return json(429, { message: "Too many messages to broadcast, please reduce the batch size" });
  }
  const rights = new Map<string, boolean>();
  for (const { topic, private: isPrivate } of parsed) {
    if (!isPrivate || rights.has(topic)) continue;
    // Skipped topics are not reported, as on Supabase, so a batch does not reveal which topics
    // exist.
    const write = await hub.authorizer
      .write(contextOf(request, claims, topic))
      .catch((error: unknown) => {
        hub.log(`realtime: ${topic}: could not authorize a write: ${String(error)}`);
        return { broadcast: false };
      });
    rights.set(topic, write.broadcast);
  }
  const { deliveries } = hub.shares;
  const person = personOf(claims, "HTTP");
  for (const { topic, text, private: isPrivate, id } of parsed) {
    if (isPrivate && rights.get(topic) !== true) continue;
    await deliveries.rested(person);
    messages.add();
    const told = hub.topics
      .find(topic, isPrivate)
      ?.publish({ kind: "json", event: "broadcast", text, id });
    deliveries.charge(person, told ?? 0, text.length);
  }
  return accepted();
}

function faultResponse(fault: AuthorizationFault): Response {
  const message = {
    policy: "RLS policy error",
    canceled: "Query canceled",
    partition: "Missing messages partition",
    unavailable: "Tenant database unavailable",
  }[fault.fault];
  return json(422, { message });
}

async function single(
  hub: Hub,
  request: Request,
  claims: Claims,
  body: Buffer,
  to: { topic: string; event: string; private: boolean },
): Promise<Response> {
  const type =
    request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? "application/json";
  const binary = type === "application/octet-stream";
  if (!binary && type !== "application/json") {
    return json(415, {
      error: "Unsupported Media Type. Use application/json or application/octet-stream",
    });
  }
  let bytes = body;
  if (!binary) {
    const value = body.length === 0 ? {} : parse(body);
    if (value === undefined) return json(400, { errors: { detail: "Bad Request" } });
    // The body is forwarded unchanged. As on Supabase, a value that is not an object is wrapped.
    if (!isObject(value)) bytes = Buffer.from(JSON.stringify({ _json: value }));
    else if (body.length === 0) bytes = Buffer.from("{}");
  }
  const { messages, limits } = hub.usage;
  if (bytes.length > limits.payloadBytes)
    return json(422, { errors: { payload: ["Payload size exceeds tenant limit"] } });
  if (messages.average >= limits.messagesPerSecond) return tooFast();
  if (to.private) {
    try {
      const write = await hub.authorizer.write(contextOf(request, claims, to.topic));
      if (!write.broadcast) return json(403, { message: "Unauthorized" });
    } catch (error) {
      if (!(error instanceof AuthorizationFault)) throw error;
      hub.log(`realtime: ${to.topic}: could not authorize a write: ${error.message}`);
      return faultResponse(error);
    }
  }
  const { deliveries } = hub.shares;
  const person = personOf(claims, "HTTP");
  await deliveries.rested(person);
  messages.add();
  const encoding = binary ? "binary" : "json";
  const told = hub.topics
    .find(to.topic, to.private)
    ?.publish({ kind: "user", event: to.event, encoding, bytes, meta: null });
  deliveries.charge(person, told ?? 0, bytes.length);
  return accepted();
}

/**
 * Serves HTTP broadcasts under `/realtime/v1/api/broadcast`; returns null for any other path. The
 * gateway has verified `caller`. Without a caller, the request's token is verified here.
 */
export async function handleBroadcast(
  hub: Hub,
  request: Request,
  caller: Caller | null = null,
): Promise<Response | null> {
  const url = new URL(request.url);
  const path = /^(?:\/realtime\/v1)?\/api\/broadcast(?:\/([^/]+)\/events\/([^/]+))?\/?$/.exec(
    url.pathname,
  );
  if (path === null) return null;
  if (request.method !== "POST") return json(405, { message: "Method not allowed" });
  const claims = identify(hub, request, caller);
  if (claims === null) return json(401, { message: "Unauthorized" });
  const body = await readBody(request);
  if (body === null) return json(413, { message: "Payload too large" });
  const [, topic, event] = path;
  if (topic === undefined || event === undefined) return batch(hub, request, claims, body);
  try {
    const to = { topic: decodeURIComponent(topic), event: decodeURIComponent(event) };
    return await single(hub, request, claims, body, {
      ...to,
      private: url.searchParams.get("private") === "true",
    });
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return json(400, { errors: { detail: "Bad Request" } });
  }
}
