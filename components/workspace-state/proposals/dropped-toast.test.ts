import { expect, it } from "vitest";
import { typedEvent } from "@/events/core/event-types";
import type { TypedEvent } from "@/events/core/event-types";
import type { Refusal } from "@/events/log/refusal";
import { sentence } from "@/events/log/refusal";
import type { OptimisticEvent } from "@/events/log/stream-rules";
import { droppedToast } from "./dropped-toast";

const time = "2026-11-28T12:00:00Z";
const before = Date.parse(time) - 1;
const replaced: Refusal = { name: "version-conflict", reason: "replaced-since", detail: "" };

function toastOf(event: TypedEvent, refusal: Refusal, pageBegan = before) {
  const again: OptimisticEvent[] = [];
  const subject = { kind: "document", id: "d" };
  const proposal: OptimisticEvent = { ...event, id: "1", actorId: "ana", subject, time };
  const toast = droppedToast({ proposal, refusal }, pageBegan, (each) => again.push(each));
  return { toast, again, proposal };
}

it("[TITLE-5] shows a title that lost and offers it, even one from an earlier page", () => {
  const renamed = typedEvent("document.renamed", { title: "Minutes of May" });
  const { toast, again, proposal } = toastOf(renamed, replaced);
  expect(toast.text).toContain("Minutes of May");
  expect(toast.action?.label).toBe("Use your title");
  toast.action?.onAct();
  expect(again).toEqual([proposal]);
  expect(toastOf(renamed, replaced, before + 2).toast.text).toMatch(/^A change you made earlier/);
});

it("[TITLE-5] offers an icon that lost", () => {
  const chosen = typedEvent("document.icon_set", { emoji: "📘" });
  expect(toastOf(chosen, replaced).toast.action?.label).toBe("Use your icon");
  const removed = typedEvent("document.icon_set", { emoji: null });
  expect(toastOf(removed, replaced).toast.action?.label).toBe("Remove the icon");
});

it("[TITLE-5] offers nothing that was refused for another reason", () => {
  const refusal: Refusal = { name: "illegal-transition", detail: "" };
  const renamed = typedEvent("document.renamed", { title: "Minutes" });
  expect(toastOf(renamed, refusal).toast).toEqual({ text: sentence(refusal) });
  const trashed = typedEvent("document.trashed", {});
  expect(toastOf(trashed, replaced).toast).toEqual({ text: sentence(replaced) });
});
