import type { IncomingMessage } from "node:http";
import { isLoopback, isLoopbackHost } from "../http/origin";
import type { Settings } from "../settings";

type ReceivedRequest = Pick<IncomingMessage, "headers" | "httpVersion"> & {
  socket: { remoteAddress?: string | undefined };
};

/**
 * Whether a request may access local-only data: caught mail with its sign-in links, metrics without
 * a token, and the instance path. The socket must be loopback, no header may indicate a proxy, and
 * Host must be a loopback name. A proxy can hide all three, so a published installation
 * (`SITE_URL`, `ALLOWED_HOSTS`) needs `MAIL_PAGE=1` as well. Call before the proxy headers are
 * removed.
 */
export function isOwnMachine(
  { headers, httpVersion, socket }: ReceivedRequest,
  { isPublished, mailPage }: Pick<Settings, "isPublished" | "mailPage">,
): boolean {
  return (
    (!isPublished || mailPage) &&
    isLoopback(socket.remoteAddress ?? "") &&
    isLoopbackHost(headers.host) &&
    // HTTP/1.0 is the default of proxies such as nginx; browsers and monitors use 1.1.
    httpVersion !== "1.0" &&
    !Object.keys(headers).some((name) => proxied.test(name))
  );
}

/** Headers that proxies, CDNs and load balancers add. */
const proxied =
  /^(forwarded|via|cdn-loop|proxy-connection|x-(forwarded|real|original|proxy|envoy|cluster|arr|appengine|azure|amzn|cloud|vercel|nf|request-id|remote)\b.*|.*(client-ip|connecting-ip|remote-ip|remote-addr).*)$/;
