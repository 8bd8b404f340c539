import { expect } from "vitest";
import { declaredLoad } from "@/events/crdt/payload/payload-load";
import { sentence } from "@/events/log/refusal";
import type { Answer, NewProposal } from "./database";

/** The name of the limit that an append was refused by; null for one that was taken, or refused for anything else. */
export function refusedLimit(answer: Answer): string | null {
  if (answer.ok) return null;
  expect(answer.refusal.name).toBe("too-large");
  expect(sentence(answer.refusal)).not.toMatch(/in one piece/);
  return answer.refusal.reason ?? answer.refusal.detail;
}

/** An edit as it is proposed. */
export const edit = (update: Uint8Array): NewProposal => ({
  type: "document.edited",
  body: {},
  update,
});

/** A payload that says how much comes of it, and holds nothing. */
export const declared = (bytes: number, pieces: number) =>
  Uint8Array.from([0, 0, 7, ...declaredLoad(bytes, pieces), 1]);
