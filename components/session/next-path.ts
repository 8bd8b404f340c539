const elsewhere = "/";

/**
 * Validates a destination that may come from a crafted URL. Returns a path of this site only, never
 * another site (`//evil`, `/\evil`, control characters) and never the sign-in page. An absolute URL
 * of `origin` is reduced to its path.
 */
export function nextPath(address: string | string[] | null | undefined, origin?: string): string {
  if (typeof address !== "string") return elsewhere;
  const path = origin && address.startsWith(`${origin}/`) ? address.slice(origin.length) : address;
  if (!/^\/(?![/\\])/.test(path) || hasControl(path)) return elsewhere;
  const base = new URL("http://inside.invalid");
  const url = new URL(path, base);
  if (url.origin !== base.origin || url.pathname.startsWith("//")) return elsewhere;
  if (url.pathname === "/auth/confirm") return nextPath(url.searchParams.get("next"), origin);
  if (authPaths.includes(url.pathname)) return elsewhere;
  return url.pathname + url.search + url.hash;
}

const authPaths = ["/sign-in", "/sign-up", "/forgot-password"];

function hasControl(text: string): boolean {
  return Array.from(text).some(
    (letter) => letter.charCodeAt(0) < 0x20 || letter.charCodeAt(0) === 0x7f,
  );
}
