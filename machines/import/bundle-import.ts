import { longestComment, longestTitle, longestVersionName } from "@/events/core/text/text-lengths";
import { bodyOf } from "@/events/core/recorded-body";
import * as Y from "yjs";
import * as z from "zod/mini";
import { copiedEmpty, copyInEvents } from "@/events/revisions/copy-in-events";
import { firstCodePoints } from "@/events/core/text/code-points";
import { oneEmoji } from "@/events/core/text/emoji";
import type { Proposal } from "@/events/core/envelope";
import { typedEvent } from "@/events/core/event-types";
import type { BodyOf } from "@/events/core/event-types";
import { openTimeline } from "@/events/history/timeline/timeline-builder";
import { threadsAt } from "@/machines/past-threads";
import { schemaVersion } from "@/events/content/schema";
import type { CheckedBundle } from "@/events/proof/bundle-check";
import { finalTexts } from "@/events/proof/final-text";
import { authorsOf, importedSteps, stepsAfter } from "./imported-steps";
import type { ImportedAuthor } from "./imported-steps";

type Input = {
  checked: CheckedBundle;
  /** SHA-256 of the file, in hex. */
  file: string;
  /** The workspace in which the document is created. */
  workspaceId: string;
  newId: () => string;
  /** ISO 8601. */
  now: string;
};

/** The maximum size of `authors`, which leaves room for the other fields of an event's body. */
const mostAuthorBytes = 56_000;
/**
 * The decoded bytes and the number of events in one request. As base64 and JSON, a request stays
 * below the backend's limit of 1 MB.
 */
const requestBytes = 384 * 1024;
const requestEvents = 200;

const day = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
/** Rejects an anchor that a redaction has emptied. */
const threadSchema = z.object({
  start: z.string().check(z.minLength(1)),
  end: z.string().check(z.minLength(1)),
  quote: z.string().check(z.minLength(1)),
});

/**
 * The appends, sent one after the other. `stepwise` means that they import the history step by
 * step, and not just its newest text.
 */
export type ImportPlan = { appends: Proposal[][]; stepwise: boolean };

/** Returns the newest text of a bundle as one Yjs update, without deleted content. */
function stateOf({ timeline }: CheckedBundle): Uint8Array {
  const doc = new Y.Doc();
  Y.applyUpdate(doc, timeline.state());
  return Y.encodeStateAsUpdate(doc);
}

/** Returns the authors by name, each with the Yjs client ids that the events bound to them. */
function namesOf(authors: readonly ImportedAuthor[]): { name: string; clients: number[] }[] {
  const named = authors.map(({ name, clients }) => ({ name, clients }));
  const size = (list: typeof named) => new TextEncoder().encode(JSON.stringify(list)).length;
  if (size(named) <= mostAuthorBytes) return named;
  // The authors of a document written by very many tabs keep their names. The attribution of each
  // character is lost.
  const bare = named.map(({ name }) => ({ name, clients: [] }));
  const short = (most: number) =>
    bare.map(({ name, clients }) => ({ name: firstCodePoints(name, most), clients }));
  return [bare, short(40), short(20)].find((list) => size(list) <= mostAuthorBytes) ?? short(10);
}

/** Names the bundle's versions in the new document, under the ids that its timeline uses. */
function namedVersions({ timeline }: CheckedBundle, newId: () => string, now: string): Proposal[] {
  const own = timeline.marks.filter(({ subject }) => subject.kind === "version");
  return [...new Set(own.map(({ subject }) => subject.id))].flatMap((id): Proposal[] => {
    const marks = own.filter(({ subject }) => subject.id === id);
    const at = marks.flatMap((mark) => bodyOf(mark, "version.named")?.at ?? []).at(0);
    const name = marks
      .flatMap(
        (mark) => (bodyOf(mark, "version.renamed") ?? bodyOf(mark, "version.named"))?.name ?? [],
      )
      .at(-1);
    if (at === undefined || at < 1 || at > timeline.version || !name) return [];
    const about = { subject: { kind: "version", id }, clientTime: now };
    const named: Proposal = {
      id: newId(),
      type: "version.named",
      body: { at: at + stepsAfter, name: firstCodePoints(name, longestVersionName) },
      ...about,
    };
    return marks.at(-1)?.toPhase === "pinned"
      ? [named, { id: newId(), type: "version.pinned", body: {}, ...about } satisfies Proposal]
      : [named];
  });
}

/**
 * Proposes the comments on the text in the importer's name, so that people can reply to them and
 * resolve them. They keep the ids that the timeline bar uses.
 */
function reportedComments(
  { timeline }: CheckedBundle,
  authors: readonly ImportedAuthor[],
  newId: () => string,
  now: string,
): Proposal[] {
  const names = new Map(authors.map(({ key, name }) => [key, name]));
  const about = (kind: string, id: string) => ({ subject: { kind, id }, clientTime: now });
  return threadsAt(timeline, timeline.length - 1).flatMap(
    ({ id, anchor, comments, resolved }): Proposal[] => {
      const standing = comments.filter(({ deleted, text }) => !deleted && text !== "");
      const isSound = threadSchema.safeParse(anchor).success && standing.length > 0;
      if (!isSound) return [];
      return [
        {
          id: newId(),
          type: "thread.opened",
          body: { start: anchor.start, end: anchor.end, quote: anchor.quote },
          ...about("thread", id),
        },
        ...standing.map((comment): Proposal => {
          const text =
            `${names.get(comment.authorId) ?? "Somebody"}, ` +
            `${day.format(Date.parse(comment.addedAt))} (imported): ` +
            `${comment.text}`;
          return {
            id: newId(),
            type: "comment.added",
            body: { thread: id, text: firstCodePoints(text, longestComment) },
            ...about("comment", comment.id),
          };
        }),
        ...(resolved
          ? [
              {
                id: newId(),
                ...typedEvent("thread.resolved", {}),
                ...about("thread", id),
              },
            ]
          : []),
      ];
    },
  );
}

function inRequests(proposals: readonly Proposal[]): Proposal[][] {
  const requests: Proposal[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const proposal of proposals) {
    const size = (proposal.update?.length ?? 0) + JSON.stringify(proposal.body).length + 300;
    bytes += size;
    const last = requests.at(-1);
    if (last && bytes <= requestBytes && last.length < requestEvents) last.push(proposal);
    else {
      requests.push([proposal]);
      bytes = size;
    }
  }
  return requests;
}

/**
 * Whether a document created by these events ends with the bundle's text and has a revision for
 * each of the bundle's revisions.
 */
function isFaithful(
  proposals: readonly Proposal[],
  { timeline }: CheckedBundle,
  document: string,
): boolean {
  const made = openTimeline(
    proposals.map(
      (
        { id, type, body, clientIds = [], update = null, clientTime = "", schema = schemaVersion },
        index,
      ) => ({
        id,
        type,
        body,
        clientIds,
        update,
        clientTime,
        schema,
        version: index + 1,
        actorId: "",
        recordedAt: clientTime,
        toPhase: "live",
        subject: { kind: "document", id: document },
      }),
    ),
  );
  const extra = proposals.length - timeline.version;
  return (
    made.anomalies.length === 0 &&
    made.length === timeline.length + extra &&
    finalTexts(made).json === finalTexts(timeline).json
  );
}

/**
 * Plans the requests that create a new document from a bundle. The first request creates the
 * stream.
 */
export function planImport(input: Input): ImportPlan {
  const { checked, file, workspaceId, newId, now } = input;
  const { manifest, rows } = checked.bundle;
  const { id: source } = manifest.document;
  const title = checked.timeline.titleAt(checked.timeline.length - 1);
  const authors = authorsOf(checked);
  const exportedAt = Date.parse(manifest.exported.at);
  // A bundle may contain any text here.
  const exported = Number.isNaN(exportedAt) ? manifest.exported.at : day.format(exportedAt);
  const body: BodyOf<"document.imported"> = {
    document: source,
    version: manifest.head.version,
    head: manifest.head.hash,
    bundle: file,
    events: manifest.events,
    label: firstCodePoints(
      `“${manifest.document.title}”, exported by ${manifest.exported.by.name} on ${exported}`,
      300,
    ),
    authors: namesOf(authors),
  };
  const imported = (clientTime: string, { update, clientIds } = copiedEmpty(source)): Proposal => ({
    id: newId(),
    type: "document.imported",
    body,
    update,
    clientIds,
    schema: schemaVersion,
    clientTime,
  });
  const created = (clientTime: string): Proposal => ({
    id: newId(),
    type: "document.created",
    body: { workspaceId, title: firstCodePoints(title, longestTitle) },
    clientTime,
  });
  const steps = importedSteps({ checked, authors, newId });
  // Steps describe the exported document. The new document's icon needs an event of its own.
  const icon = checked.timeline.iconAt(checked.timeline.length - 1);
  const iconSet: Proposal[] =
    icon !== null && oneEmoji.test(icon)
      ? [
          {
            id: newId(),
            ...typedEvent("document.icon_set", { emoji: icon }),
            clientTime: now,
          },
        ]
      : [];
  const began = rows[0]?.clientTime ?? now;
  if (steps) {
    // Times in a stream never decrease, so the events before the first step carry its time.
    const proposals = [created(began), imported(began), ...steps, imported(now)];
    if (isFaithful(proposals, checked, source))
      return {
        stepwise: true,
        appends: inRequests([
          ...proposals,
          ...iconSet,
          ...namedVersions(checked, newId, now),
          ...reportedComments(checked, authors, newId, now),
        ]),
      };
  }
  const pieces = copyInEvents(stateOf(checked), source);
  const [first = copiedEmpty(source), ...rest] = pieces;
  return {
    stepwise: false,
    appends: [
      [created(now), imported(now, first)],
      ...rest.map((piece) => [imported(now, piece)]),
      ...(iconSet.length > 0 ? [iconSet] : []),
    ],
  };
}
