import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { emptyFold, foldEvent, subjectOf } from "@/events/log/stream-fold";
import { aggregates, mayEmit } from "./catalog";
import { document } from "./document";
import { roles } from "./member";

const id = "00000000-0000-4000-8000-00000000000d";
type Step = { type: string; body: { [key: string]: string | null } };

function folded(steps: readonly Step[]) {
  const fold = steps.reduce(
    (before, { type, body }, index) =>
      foldEvent(aggregates, before, {
        type,
        body,
        version: index + 1,
        subject: { kind: "document", id },
        id: `${index}`,
        streamId: id,
        actorId: "ana",
        recordedAt: "",
        toPhase: "live",
      }),
    emptyFold,
  );
  return subjectOf(fold, document, id).state;
}

const created: Step = { type: "document.created", body: { workspaceId: "w", title: "Tides" } };
const iconSet = (emoji: string | null): Step => ({ type: "document.icon_set", body: { emoji } });

describe("the icon of a document", () => {
  it("[ICON-1] may be set by owners and editors while the document is live", () => {
    const may = (phase: string) =>
      roles.filter((role) =>
        mayEmit("document.icon_set", { phase, role, isSelf: false, isAuthor: true }),
      );
    expect([may("live"), may("trashed"), may("absent")]).toEqual([["owner", "editor"], [], []]);
  });

  it("[ICON-1] is the one set last, whatever other events there are", () => {
    expect(folded([created]).icon).toBeNull();
    const emoji = fc.option(fc.constantFrom("🌊", "🗺️", "👩🏽‍🚀"), { nil: null });
    const other = fc.constantFrom<Step>(
      { type: "document.renamed", body: { title: "Ebb" } },
      { type: "document.edited", body: {} },
      { type: "document.reverted", body: {} },
      { type: "document.trashed", body: {} },
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(emoji.map(iconSet), other)), (steps) => {
        const last = steps.findLast(({ type }) => type === "document.icon_set");
        const state = folded([created, ...steps]);
        expect(state.icon).toBe(last?.body["emoji"] ?? null);
        expect(state.title).toBe(
          steps.some(({ type }) => type === "document.renamed") ? "Ebb" : "Tides",
        );
      }),
    );
  });

  it("[ICON-1] is unchanged by an event type that this build does not know", () => {
    const later: Step = { type: "document.unheard_of", body: { emoji: "🗺️" } };
    expect(folded([created, iconSet("🌊"), later])).toEqual(folded([created, iconSet("🌊")]));
  });

  it("[ICON-2] is one emoji or null in a body, and nothing else", () => {
    const schema = document.schemas["document.icon_set"];
    const taken = (body: object) => schema?.safeParse(body).success;
    expect(["🌊", "🗺️", null].map((emoji) => taken({ emoji }))).toEqual([true, true, true]);
    expect(["", "a", "🌊🌊", "🌊\u202e", undefined].map((emoji) => taken({ emoji }))).toEqual([
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(taken({ emoji: "🌊", title: "T" })).toBe(false);
  });
});
