import { describe, expectTypeOf, it } from "vitest";
import type { Proposal } from "@/events/core/envelope";
import type { BodyOf, EventType, EventTypeOf } from "@/events/core/event-types";
import type { LiveStream } from "@/events/log/live-stream";
import type { mayEmit } from "./catalog";

// The compiler is the test: an expected error that does not occur fails `npm run typecheck`.
describe("event types", () => {
  it("[LOG-25] are those of the aggregates, each with the body of its schema", () => {
    expectTypeOf<BodyOf<"document.renamed">>().toEqualTypeOf<{ title: string }>();
    expectTypeOf<BodyOf<"version.named">>().toEqualTypeOf<{ at: number; name: string }>();
    expectTypeOf<"document.rename">().not.toExtend<EventType>();
    expectTypeOf<EventTypeOf<"thread">>().toEqualTypeOf<
      "thread.opened" | "thread.resolved" | "thread.reopened"
    >();
  });

  it("[LOG-25] do not compile when misspelt or with another body", () => {
    const wrong = (act: LiveStream["act"], may: typeof mayEmit) => [
      act("document.renamed", { title: "Rule" }),
      // @ts-expect-error -- A misspelt type.
      act("document.rename", { title: "Rule" }),
      // @ts-expect-error -- The body of another type.
      act("document.renamed", { name: "Rule" }),
      // @ts-expect-error -- A key too many.
      act("document.renamed", { title: "Rule", name: "Rule" }),
      // @ts-expect-error -- A body where none is said.
      act("document.trashed", { title: "Rule" }),
      // @ts-expect-error -- A misspelt type, asked about.
      may("document.rename", { phase: "live", role: "editor", isSelf: false, isAuthor: false }),
    ];
    expectTypeOf(wrong).toBeFunction();
    expectTypeOf<{
      id: string;
      type: "version.named";
      body: { title: string };
    }>().not.toExtend<Proposal>();
  });
});
