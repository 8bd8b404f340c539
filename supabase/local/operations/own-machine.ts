import type { IncomingMessage } from "node:http";
import { isLoopback, isLoopbackHost } from "../origin";
import type { Settings } from "../settings";

type ReceivedRequest = Pick<IncomingMessage, "headers" | "httpVersion"> & {
  socket: { remoteAddress?: string | undefined };
};

/**
 * Decides whether a request may see what is meant for the machine that runs the workspace: caught
 * mail, which holds sign-in links, metrics without a token, and the instance path. The socket is
 * loopback, nothing says that a proxy passed the request on, and its Host is a loopback name. A proxy
 * can hide all three, so an installation that is published under a name (`SITE_URL`, `ALLOWED_HOSTS`)
 * shows nothing of it without `MAIL_PAGE=1`. Must be asked before the proxies' headers are removed.
 */
export function isOwnMachine(
  { headers, httpVersion, socket }: ReceivedRequest,
  { isPublished, mailPage }: Pick<Settings, "isPublished" | "mailPage">,
): boolean {
  return (
    (!isPublished || mailPage) &&
    isLoopback(socket.remoteAddress ?? "") &&
    isLoopbackHost(headers.host) &&
    // A proxy's default, such as nginx's; browsers and monitors speak 1.1.
    httpVersion !== "1.0" &&
    !Object.keys(headers).some((name) => proxied.test(name))
  );
}

/** Headers that proxies, content networks and load balancers add. */
const proxied =
  /^(forwarded|via|cdn-loop|proxy-connection|x-(forwarded|real|original|proxy|envoy|cluster|arr|appengine|azure|amzn|cloud|vercel|nf|request-id|remote)\b.*|.*(client-ip|connecting-ip|remote-ip|remote-addr).*)$/;
