import type { Caller } from "./callers";

export type Answer = { status: number; headers: Headers; bytes: Buffer };
export type Asked = {
  method?: string;
  body?: object | string;
  headers?: Record<string, string>;
};

/** The address of all callers. The machine's own address may see more. */
const outside = "203.0.113.7";

/** Calls the backend with the caller's credentials. */
export const askBackend = (url: string, caller: Caller, path: string, asked: Asked = {}) =>
  ask(url, path, asked, caller.headers);

/** Requests a page as the caller's browser does. The service sends only its key. */
export const askPage = (url: string, caller: Caller, path: string, asked: Asked = {}) =>
  ask(
    url,
    path,
    asked,
    caller.role === "service" ? caller.headers : caller.cookie && { cookie: caller.cookie },
  );

async function ask(
  url: string,
  path: string,
  { method = "GET", body, headers = {} }: Asked,
  own: Record<string, string> | "",
): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method,
    redirect: "manual",
    headers: {
      "x-forwarded-for": outside,
      ...(typeof body === "object" && { "content-type": "application/json" }),
      ...(own === "" ? {} : own),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const elsewhere = answer.headers.get("location");
  // Next redirects its client's fetch to an address of its own.
  if (headers["rsc"] && elsewhere?.includes("_rsc"))
    return ask(url, new URL(elsewhere, url).href.slice(url.length), { method, headers }, own);
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

/** Returns an answer's headers and body. */
export function told({ headers, bytes }: Answer): Buffer[] {
  return [Buffer.from([...headers].map((line) => line.join(": ")).join("\n")), bytes];
}
