import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { linkElement, unnamed } from "@/events/content/document-link";
import { markup } from "@/events/content/static-html";
import { mostAsked, mostNamed, withLinks } from "./linked-documents";

const linkTo = (document: string) => markup(linkElement({ document, block: null }, unnamed), "");
const count = (html: string, words: string) => html.split(`>${words}<`).length - 1;

// supabase-js looks up `WebSocket` when a client is created. No test here connects.
beforeAll(() => void vi.stubGlobal("WebSocket", class {}));
afterAll(() => void vi.unstubAllGlobals());

/** Returns an empty table, and the number of ids in each request. */
function rows() {
  const asked: number[] = [];
  const client = createClient("http://localhost", "sb_publishable_x", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async (input) => {
        asked.push((String(input).match(/[0-9a-f]{8}-/g) ?? []).length);
        return Response.json([]);
      },
    },
  });
  return { asked, client };
}

it("[LINK-16] requests at most 400 linked documents for a page", async () => {
  const { asked, client } = rows();
  const ids = Array.from({ length: 25_000 }, () => randomUUID());
  const { html, linked } = await withLinks(client, [], ids.map(linkTo).join(""));
  expect(asked).toEqual([80, 80, 80, 80, 80]);
  expect(Object.keys(linked)).toHaveLength(mostAsked);
  expect(count(html, "Document you can’t open")).toBe(mostAsked);
  // The page itself requests these documents.
  expect(count(html, unnamed.words)).toBe(ids.length - mostAsked);
});

it("[LINK-16] names the first 2 000 links of a text, and leaves the others to the page", async () => {
  const { asked, client } = rows();
  const id = randomUUID();
  const known = { id, title: "Herbs", icon: null, phase: "live" };
  const { html } = await withLinks(client, [known], linkTo(id).repeat(25_000));
  expect(asked).toEqual([]);
  expect([count(html, "Herbs"), count(html, unnamed.words)]).toEqual([
    mostNamed,
    25_000 - mostNamed,
  ]);
});
