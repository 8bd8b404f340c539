import { bodyFields, parsedJson } from "@/events/core/envelope";
import * as z from "zod/mini";
import { redactableKeys } from "@/events/core/body-shapes";
import { readRows } from "@/events/log/paged-rows";
import type { Rows } from "@/events/read-models/rows";

/** An event to redact: its version, and the id of the redaction event. */
type Target = { id: string; version: number };

/** The most ids per request, as the length of a URL is limited. */
const together = 80;
const eventRow = z.object({ id: z.string(), version: z.int(), type: z.string() });
const payloadRow = z.object({
  event_id: z.string(),
  body: z.nullable(z.string()),
  redacted_by: z.nullable(z.int()),
});

/**
 * Returns why events cannot be redacted, if that is known without reading their updates, or null.
 * This is checked first, so that a request that the log will certainly refuse costs no work.
 */
export async function unfitness(
  rows: Rows,
  document: string,
  targets: readonly Target[],
): Promise<"missing" | "redacted" | "wordless" | null> {
  for (let at = 0; at < targets.length; at += together) {
    const some = targets.slice(at, at + together);
    const events = readRows(
      await rows
        .from("events")
        .select("id,version,type")
        .eq("stream_id", document)
        .in(
          "version",
          some.map(({ version }) => version),
        ),
      eventRow,
    );
    if (events.length < some.length) return "missing";
    if (events.some(({ type }) => type === "document.redacted")) return "wordless";
    const payloads = rows
      .from("event_payloads")
      .select("event_id,body,redacted_by")
      .in(
        "event_id",
        events.map(({ id }) => id),
      );
    const special = readRows(
      await payloads.or("redacted_by.not.is.null,update.is.null"),
      payloadRow,
    );
    if (special.some(({ redacted_by: by, body }) => by === null && !hasWords(body)))
      return "wordless";
    const standing = new Set(
      special.flatMap(({ event_id: id, redacted_by: by }) =>
        by === null ? [] : [events.find((event) => event.id === id)?.version],
      ),
    );
    // A repeated request returns the recorded redaction. Another one of the same event fails.
    const again = some.filter(({ version }) => standing.has(version)).map(({ id }) => id);
    const recorded =
      again.length === 0
        ? []
        : readRows(
            await rows
              .from("events")
              .select("id,version,type")
              .eq("stream_id", document)
              .in("id", again),
            eventRow,
          );
    if (recorded.length < again.length) return "redacted";
  }
  return null;
}

/** Whether a redaction would remove any words from a body. */
function hasWords(text: string | null): boolean {
  return Object.entries(bodyFields(text === null ? null : parsedJson(text))).some(
    ([key, value]) =>
      redactableKeys.includes(key) &&
      value !== null &&
      value !== "" &&
      !(Array.isArray(value) && value.length === 0),
  );
}
