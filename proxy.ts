import type { SupabaseClient } from "@supabase/supabase-js";
import { NextResponse } from "next/server";
import type { NextRequest } from "next/server";
import { securityPolicy } from "@/app/_server/security-policy";
import { reportError } from "@/events/core/error-report";
import { nextPath } from "@/components/session/next-path";
import { sentence } from "@/events/log/refusal";
import { environment } from "@/supabase/environment";
import { AuthUnreachable } from "@/supabase/auth-reach";
import type { Claims } from "@/supabase/claims";
import { personHeader } from "@/supabase/page-person";
import { identity } from "@/supabase/identity";
import { requestClient } from "@/supabase/server";
import type { CookieJar } from "@/supabase/server";
import { isWarmingUp } from "@/supabase/warm-up";

/** Whose request it is; "unchecked" if its session could not be checked. */
type Visitor = Claims | "nobody" | "unchecked";

/** Public paths; without a session, all others redirect to the sign-in page. */
const open = [
  "/sign-in",
  "/sign-up",
  "/forgot-password",
  "/reset-password",
  "/auth/confirm",
  "/mail",
  "/demo",
  "/upkeep",
];
/** For signed-out visitors; others are redirected. */
const authPaths = ["/sign-in", "/sign-up"];

/**
 * The response to a page that expects one person while another tab has started a session as someone
 * else.
 */
const otherAccount = {
  name: "other-account",
  message: sentence({ name: "not-permitted", reason: "other-account" }),
};

/**
 * Refreshes the session, gives every page its policy with its own nonce, and redirects to or from
 * the sign-in page. It does not authorise: pages query the database under row-level security.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { publicUrl } = environment();
  const nonce = Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64");
  const policy = securityPolicy({
    nonce,
    backend: publicUrl,
    host: request.headers.get("host") ?? request.nextUrl.host,
    secure: request.nextUrl.protocol === "https:",
    development: process.env.NODE_ENV === "development",
  });

  const refreshed: { name: string; value: string; options: object }[] = [];
  const jar: CookieJar = {
    getAll: () => request.cookies.getAll(),
    setAll: (cookies) => {
      refreshed.push(...cookies);
      for (const { name, value } of cookies) request.cookies.set(name, value);
    },
  };
  const secure = request.nextUrl.protocol === "https:";
  const client = requestClient(jar, request.headers.get("user-agent"), secure);
  const visitor = await visitorOf(client);

  const asker = request.headers.get(personHeader);
  if (asker !== null && typeof visitor !== "string" && visitor.userId !== asker)
    return NextResponse.json(otherAccount, { status: 409 });
  const response = answer(request, visitor, nonce, policy);
  for (const { name, value, options } of refreshed) response.cookies.set(name, value, options);
  if (refreshed.length > 0) response.headers.set("cache-control", "private, no-store");
  // Tells the service worker whose page this is; it caches pages per person.
  if (typeof visitor !== "string" && request.nextUrl.pathname.startsWith("/d/"))
    response.headers.set(personHeader, visitor.userId);
  // Files have a stricter policy of their own, which this would replace.
  if (!request.nextUrl.pathname.startsWith("/files/"))
    response.headers.set("content-security-policy", policy);
  if (secure) response.headers.set("strict-transport-security", "max-age=31536000");
  response.headers.set("x-content-type-options", "nosniff");
  response.headers.set("referrer-policy", "same-origin");
  response.headers.set("cross-origin-opener-policy", "same-origin");
  response.headers.set(
    "permissions-policy",
    "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  );
  return response;
}

async function visitorOf(client: SupabaseClient): Promise<Visitor> {
  try {
    return (await identity(client)) ?? "nobody";
  } catch (error) {
    if (!(error instanceof AuthUnreachable))
      reportError(error, { during: "verifying the session of a request" });
    return "unchecked";
  }
}

function answer(
  request: NextRequest,
  visitor: Visitor,
  nonce: string,
  policy: string,
): NextResponse {
  const { pathname, search } = request.nextUrl;
  const isOpen = open.includes(pathname) || isWarmingUp();
  if (visitor === "nobody" && !isOpen && !pathname.startsWith("/invite/")) {
    const wanted = nextPath(pathname + search);
    return redirectTo(
      request,
      wanted === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(wanted)}`,
    );
  }
  if (typeof visitor !== "string" && authPaths.includes(pathname))
    return redirectTo(request, nextPath(request.nextUrl.searchParams.get("next")));
  const headers = new Headers(request.headers);
  headers.set("x-nonce", nonce);
  headers.set("content-security-policy", policy);
  if (visitor === "unchecked" && !isOpen) return unavailable(request, headers);
  return NextResponse.next({ request: { headers } });
}

/**
 * Serves, under the page's own URL, a 503 saying that the session could not be checked. A service
 * worker with the page in its cache shows that instead: to it, the server is unreachable.
 */
function unavailable(request: NextRequest, headers: Headers): NextResponse {
  const response = NextResponse.rewrite(new URL("/unchecked", request.nextUrl), {
    request: { headers },
    status: 503,
  });
  response.headers.set("cache-control", "private, no-store");
  return response;
}

function redirectTo(request: NextRequest, path: string): NextResponse {
  const response = NextResponse.redirect(new URL(path, request.nextUrl), 307);
  // The redirect depends on who is signed in.
  response.headers.set("cache-control", "private, no-store");
  return response;
}

export const config = {
  matcher: ["/((?!_next/static|favicon.ico|icon.svg|robots.txt|service-worker.js).*)"],
};
