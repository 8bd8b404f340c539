import type { Ruled } from "@/events/core/envelope";
import type { AccountEventType } from "@/events/core/event-types";
import { descriptionOf } from "@/events/core/recorded-body";
import type { ByType, RecordedRow } from "@/events/core/recorded-body";
import { entryOf } from "@/events/core/table-entry";

/** A line of the sign-in history. `recordedAt` is the database's time. */
export type AuthEntry = { id: string; words: string; recordedAt: string; routine: boolean };

const fieldWords: Readonly<Record<string, string>> = {
  password: "Password changed",
  new_email: "Email change requested",
  email: "Email changed",
};

const words: ByType<AccountEventType, null, string> = {
  "account.created": () => "Account created",
  "account.profile_changed": null,
  "account.picture_set": null,
  "account.deleted": null,
  "auth.signed_in": () => "Signed in",
  "auth.signed_out": () => "Signed out",
  "auth.token_refreshed": () => "Session renewed",
  "auth.password_recovery": () => "Recovery link used",
  "auth.user_updated": ({ fields = [] }) =>
    fields.map((field) => entryOf(fieldWords, field) ?? "Account changed").join(", ") ||
    "Account changed",
};

/** Describes an authentication event in words. Returns null for any other event. */
export function authEventWords(event: RecordedRow): string | null {
  return descriptionOf(words, event, null);
}

/** Returns the sign-in history from an account's stream, newest first, without other events. */
export function authHistory(events: Ruled[]): AuthEntry[] {
  return events
    .flatMap((event) => {
      const authEvent = authEventWords(event);
      return authEvent
        ? [
            {
              id: event.id,
              words: authEvent,
              recordedAt: event.recordedAt,
              routine: event.type === "auth.token_refreshed",
            },
          ]
        : [];
    })
    .reverse();
}
