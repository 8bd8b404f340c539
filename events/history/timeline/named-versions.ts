import { bodyOf } from "@/events/core/recorded-body";
import { type Timeline } from "./timeline";

const longest = 60;

/** A text as short as a label has to be; empty where there is none. */
export function shortly(text: string | undefined): string {
  if (text === undefined) return "";
  return text.length > longest ? `${text.slice(0, longest).trimEnd()}…` : text;
}

/** Named versions, each at the revision that it names, by the name it has now. */
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
    // An import tells who named a version there, and names it here again under the same id.
    if (at === undefined || seen.has(subject.id)) return [];
    seen.add(subject.id);
    return [{ key: id, revision: ofVersion(at), name: names.get(subject.id) ?? "", actorId }];
  });
}
