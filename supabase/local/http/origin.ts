import type { IncomingHttpHeaders } from "node:http";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Whether a Host header is allowed. This prevents DNS rebinding, where a foreign page points its
 * own name at this machine. When listening on all interfaces, any IP address is allowed, because
 * only names can be rebound.
 */
export function hostAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  const name = hostName(host);
  if (name === null) return false;
  if (allowed.some(isEverywhere) && /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/.test(name))
    return true;
  return [...loopback, ...allowed.map((entry) => entry.toLowerCase())].includes(name);
}

/**
 * Whether a link in a mail may use the host of the request. The caller controls that header, so it
 * must be an allowed name or one of this machine's `addresses`. Another port is refused, because a
 * different service may answer there.
 */
export function mayLinkTo(
  host: string,
  allowed: readonly string[],
  addresses: readonly string[],
  ownPort: number,
): boolean {
  const port = /:(\d+)$/.exec(host)?.[1];
  if (port !== undefined && Number(port) !== ownPort) return false;
  return hostAllowed(host, [
    ...allowed.filter((entry) => !isEverywhere(entry)),
    ...addresses.map((address) => (address.includes(":") ? `[${address}]` : address)),
  ]);
}

/**
 * Whether a request that writes or opens a socket comes from our own pages, or from a program other
 * than a browser.
 */
export function originAllowed(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined) {
    const site = headers["sec-fetch-site"];
    return site === undefined || site === "same-origin" || site === "none";
  }
  // A sandboxed frame sends "null", which belongs to no site.
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  return (
    (page.protocol === "http:" || page.protocol === "https:") && page.host === host?.toLowerCase()
  );
}

function hostName(host: string | undefined): string | null {
  if (!host || !/^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?$/.test(host)) return null;
  return host.replace(/:\d+$/, "").toLowerCase();
}

/** Removes headers with which a caller could pose as a proxy or bypass Next's own checks. */
export function stripSteering(headers: IncomingHttpHeaders): void {
  for (const name of Object.keys(headers)) {
    if (steering.some((prefix) => name.startsWith(prefix))) delete headers[name];
  }
}

const steering = [
  "x-middleware-",
  "x-forwarded-",
  "forwarded",
  "x-real-ip",
  "x-invoke-",
  "x-matched-path",
  "x-now-",
  "x-vercel-",
  "x-original-",
  "x-rewrite-",
  "x-proxy-",
  "x-http-method",
  "x-nextjs-rewritten",
];

/** Whether the request reached our proxy over HTTPS, according to its header's last entry. */
export function isSecure(headers: IncomingHttpHeaders, trustProxy: boolean): boolean {
  const forwarded = headers["x-forwarded-proto"];
  return (
    trustProxy &&
    typeof forwarded === "string" &&
    forwarded.split(",").at(-1)?.trim().toLowerCase() === "https"
  );
}

/** Whether a Host header is a loopback name. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = hostName(host);
  return name !== null && loopback.includes(name);
}

/** Whether an IP address is a loopback address. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}

/** Whether a listen address means all interfaces. */
export function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
