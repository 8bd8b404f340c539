import type { Json, Ruled } from "@/events/core/envelope";

/** One line of the sign-in history: what happened and when, by the database's clock. */
export type AuthEntry = { id: string; words: string; recordedAt: string; routine: boolean };

const words: Record<string, string> = {
  "account.created": "Account created",
  "auth.signed_in": "Signed in",
  "auth.signed_out": "Signed out",
  "auth.token_refreshed": "Session renewed",
  "auth.password_recovery": "Recovery link used",
};

const fieldWords: Record<string, string> = {
  password: "Password changed",
  new_email: "Change of address asked for",
  email: "Address changed",
};

/** Says an authentication event in words; null for an event that is none. */
export function statementWords(type: string, body: Json): string | null {
  if (type !== "auth.user_updated") return words[type] ?? null;
  const fields =
    body && typeof body === "object" && !Array.isArray(body) && Array.isArray(body.fields)
      ? body.fields
      : [];
  return (
    fields.map((field) => fieldWords[String(field)] ?? "Account changed").join(", ") ||
    "Account changed"
  );
}

/** Tells an account's own stream as a sign-in history, newest first; what is no authentication moment is left out. */
export function authHistory(events: Ruled[]): AuthEntry[] {
  return events
    .flatMap((event) => {
      const said = statementWords(event.type, event.body);
      return said
        ? [
            {
              id: event.id,
              words: said,
              recordedAt: event.recordedAt,
              routine: event.type === "auth.token_refreshed",
            },
          ]
        : [];
    })
    .reverse();
}
