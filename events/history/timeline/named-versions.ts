import { type Json } from "@/events/core/envelope";
import { type Timeline } from "./timeline";

const longest = 60;

/** A text of a body by its name, as short as a label has to be; empty where there is none. */
export function shortField(body: Json, name: string): string {
  const value =
    body !== null && typeof body === "object" && !Array.isArray(body) ? body[name] : undefined;
  return typeof value === "string"
    ? value.length > longest
      ? `${value.slice(0, longest).trimEnd()}…`
      : value
    : "";
}

function numberOf(body: Json, name: string): number | null {
  const value =
    body !== null && typeof body === "object" && !Array.isArray(body) ? body[name] : undefined;
  return typeof value === "number" ? value : null;
}

/** Named versions, each at the moment that it names, by the name it has now. */
export function namedVersions({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): {
  key: string;
  moment: number;
  name: string;
  actorId: string;
}[] {
  const names = new Map(
    marks
      .filter(({ type }) => type === "version.named" || type === "version.renamed")
      .map(({ subject, body }) => [subject.id, shortField(body, "name")]),
  );
  const seen = new Set<string>();
  return marks.flatMap(({ type, id, subject, body, actorId }) => {
    const at = type === "version.named" ? numberOf(body, "at") : null;
    // An import tells who named a version there, and names it here again under the same id.
    if (at === null || seen.has(subject.id)) return [];
    seen.add(subject.id);
    return [{ key: id, moment: ofVersion(at), name: names.get(subject.id) ?? "", actorId }];
  });
}
