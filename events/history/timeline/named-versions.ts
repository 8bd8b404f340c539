import { bodyOf } from "@/events/core/recorded-body";
import type { Timeline } from "./timeline";

const longest = 60;

/** Shortens a text for a label. Returns an empty text for none. */
export function shortly(text: string | undefined): string {
  if (text === undefined) return "";
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
}

/** Returns the named versions at their revisions, with their current names. */
export function namedVersions({ marks, ofVersion }: Pick<Timeline, "marks" | "ofVersion">): {
  key: string;
  revision: number;
  name: string;
  actorId: string;
}[] {
  const names = new Map(
    marks.flatMap((mark) => {
      const body = bodyOf(mark, "version.named") ?? bodyOf(mark, "version.renamed");
      return body ? [[mark.subject.id, shortly(body.name)]] : [];
    }),
  );
  const seen = new Set<string>();
  return marks.flatMap((mark) => {
    const { id, subject, actorId } = mark;
    const at = bodyOf(mark, "version.named")?.at;
    // An import records the naming as a step, and then names the version under the same id.
    if (at === undefined || seen.has(subject.id)) return [];
    seen.add(subject.id);
    return [{ key: id, revision: ofVersion(at), name: names.get(subject.id) ?? "", actorId }];
  });
}
