type Policy = {
  nonce: string;
  /** The hosted project's URL, or null if the backend is on the page's own origin. */
  backend: string | null;
  /** The requested host, for browsers whose 'self' does not cover WebSockets. */
  host: string;
  secure: boolean;
  development: boolean;
};

/**
 * Returns the Content-Security-Policy of one page. Scripts run only with this response's nonce.
 * Inline styles are allowed, because style attributes position the editor and popovers. A style
 * cannot leak data, since images, fonts and requests stay on the site.
 */
export function securityPolicy({ nonce, backend, host, secure, development }: Policy): string {
  const sockets = `${secure ? "wss" : "ws"}://${host}`;
  const project = backend ? [backend, backend.replace(/^http/, "ws")] : [];
  return [
    ["default-src", "'self'"],
    [
      "script-src",
      "'self'",
      `'nonce-${nonce}'`,
      "'strict-dynamic'",
      ...(development ? ["'unsafe-eval'"] : []),
    ],
    ["style-src", "'self'", "'unsafe-inline'"],
    ["img-src", "'self'", "blob:", "data:", ...(backend ? [backend] : [])],
    ["font-src", "'self'"],
    ["connect-src", "'self'", sockets, ...project],
    ["worker-src", "'self'", "blob:"],
    ["object-src", "'none'"],
    ["base-uri", "'none'"],
    ["form-action", "'self'"],
    ["frame-ancestors", "'none'"],
  ]
    .map((directive) => directive.join(" "))
    .join("; ");
}
