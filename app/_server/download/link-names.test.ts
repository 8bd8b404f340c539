import { randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { linkNames, mostInFile } from "./link-names";

// supabase-js looks up `WebSocket` when a client is created. No test here connects.
beforeAll(() => void vi.stubGlobal("WebSocket", class {}));
afterAll(() => void vi.unstubAllGlobals());

it("[LINK-16] a file names at most 2 000 linked documents, with 25 requests", async () => {
  let requests = 0;
  const client = createClient("http://localhost", "sb_publishable_x", {
    auth: { persistSession: false, autoRefreshToken: false },
    global: {
      fetch: async () => {
        requests += 1;
        return Response.json([]);
      },
    },
  });
  const names = await linkNames(
    client,
    Array.from({ length: 25_000 }, () => randomUUID()),
  );
  expect(names.size).toBe(mostInFile);
  expect(requests).toBe(25);
});
