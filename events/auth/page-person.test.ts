import { expect, it, vi } from "vitest";
import { personHeader } from "@/supabase/page-person";
import { PagePerson } from "./page-person";

it("[ACC-50] a page keeps the person of its first claim", () => {
  const person = new PagePerson();
  const claimed = vi.fn();
  person.onClaimed(claimed);
  expect(person.named().has(personHeader)).toBe(false);
  expect(person.claim("ana")).toBe(true);
  expect(person.claim("ben")).toBe(false);
  expect(person.claim("ana")).toBe(true);
  expect(person.id).toBe("ana");
  expect(claimed).toHaveBeenCalledOnce();
  const named = person.named({ "content-type": "text/plain" });
  expect([...named]).toEqual([
    ["content-type", "text/plain"],
    [personHeader, "ana"],
  ]);
});
