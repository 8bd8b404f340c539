import type { IncomingHttpHeaders } from "node:http";

const loopback = ["localhost", "127.0.0.1", "[::1]"];

/**
 * Decides whether a Host header names us: a page elsewhere that points its own name at this machine is not let in (DNS
 * rebinding). Listening everywhere, every bare address is ours, because only a name can be pointed somewhere.
 */
export function hostAllowed(host: string | undefined, allowed: readonly string[]): boolean {
  const name = hostName(host);
  if (name === null) return false;
  if (allowed.some(isEverywhere) && /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/.test(name))
    return true;
  return [...loopback, ...allowed.map((entry) => entry.toLowerCase())].includes(name);
}

/**
 * Decides whether a link in a mail may lead to the host that a request was made under. Whoever asks
 * for the mail writes that header: it must be a name that is allowed, or one of `addresses`, which
 * are this machine's own, and at another port than ours somebody else may answer.
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
 * Decides whether a request that changes something, or opens a socket, comes from our own pages or
 * from no browser at all.
 */
export function originAllowed(headers: IncomingHttpHeaders): boolean {
  const { origin, host } = headers;
  if (origin === undefined) {
    const site = headers["sec-fetch-site"];
    return site === undefined || site === "same-origin" || site === "none";
  }
  // A sandboxed frame says "null"; it is nobody's page.
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

/** Removes the headers by which a caller could pretend to be a proxy, or steer Next past its own checks. */
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

/** Tells whether a request came over https: to a proxy of ours, which says so in its last entry. */
export function isSecure(headers: IncomingHttpHeaders, trustProxy: boolean): boolean {
  const forwarded = headers["x-forwarded-proto"];
  return (
    trustProxy &&
    typeof forwarded === "string" &&
    forwarded.split(",").at(-1)?.trim().toLowerCase() === "https"
  );
}

/** Tells whether a Host header is a loopback name. */
export function isLoopbackHost(host: string | undefined): boolean {
  const name = hostName(host);
  return name !== null && loopback.includes(name);
}

/** Tells whether a network address is this machine's own. */
export function isLoopback(address: string): boolean {
  return address === "::1" || /^(::ffff:)?127(\.\d{1,3}){3}$/.test(address);
}

/** Tells whether an address to listen on means all of this machine's. */
export function isEverywhere(host: string): boolean {
  return host === "0.0.0.0" || host === "::";
}
