import { expect } from "vitest";
import { declaredLoad } from "@/events/crdt/payload/payload-load";
import { sentence } from "@/events/log/refusal";
import type { Answer, NewProposal } from "./database";

/** Returns the limit by which an append was refused, or null if it was accepted. */
export function refusedLimit(answer: Answer): string | null {
  if (answer.ok) return null;
  expect(answer.refusal.name).toBe("too-large");
  expect(sentence(answer.refusal)).not.toMatch(/in one piece/);
  return answer.refusal.reason ?? answer.refusal.detail;
}

/** Creates a proposal of an edit. */
export const edit = (update: Uint8Array): NewProposal => ({
  type: "document.edited",
  body: {},
  update,
});

/** Creates a payload that declares its load and contains nothing. */
export const declared = (bytes: number, pieces: number) =>
  Uint8Array.from([0, 0, 7, ...declaredLoad(bytes, pieces), 1]);
