const kinds: readonly (readonly [RegExp, string])[] = [
  [/^\/rest\/v1\/rpc\/append_events$/, "append"],
  [/^\/rest\/v1(\/|$)/, "rest"],
  [/^\/auth\/v1(\/|$)/, "auth"],
  [/^\/storage\/v1(\/|$)/, "storage"],
  [/^\/functions\/v1(\/|$)/, "functions"],
  [/^\/realtime\/v1(\/|$)/, "realtime"],
  [/^\/(_next\/|icon\.svg$|favicon\.ico$|robots\.txt$|service-worker\.js$)/, "asset"],
  [/^\/d\//, "document"],
];

/** Returns the kind of a path's request, from a fixed set of names. */
export function kindOfPath(path: string): string {
  return kinds.find(([pattern]) => pattern.test(path))?.[1] ?? "page";
}

const segments = new Set(
  (
    "auth confirm forgot-password reset-password sign-in sign-up account d cut redact segments " +
    "state thread demo gallery invite mail messages.json player-template unchecked upkeep w " +
    "activity members trash rest storage functions realtime v1 rpc object sign upload public list " +
    "info bucket api broadcast websocket token user signup logout verify otp recover resend " +
    "settings callback authorize admin users generate_link _next"
  ).split(" "),
);
const id = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const databaseName = /^[a-z_]{1,63}$/;

/**
 * Reduces a path to ids and known segments for the log. Segments that a caller can choose, such as
 * file names, are left out.
 */
export function shownPath(path: string): string {
  const isRest = path.startsWith("/rest/v1/");
  const shown = path
    .split("/")
    .slice(0, 7)
    .map((part) =>
      part === "" || segments.has(part) || id.test(part) || (isRest && databaseName.test(part))
        ? part
        : "…",
    );
  return shown.join("/");
}
