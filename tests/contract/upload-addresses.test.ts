import { createHash, randomUUID } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { beginUpload, isAnnounced, leaveUpload } from "@/app/_server/files/open-uploads";
import { testBackend } from "@/tests/support/product/backend";
import type { TestBackend } from "@/tests/support/product/backend";

let backend: TestBackend;
beforeAll(async () => void (backend = await testBackend()));
afterAll(() => backend.stop());

function uploader() {
  const service = createClient(backend.url, backend.keys.secretKey, {
    auth: { persistSession: false },
    realtime: { transport: WebSocket as never },
  });
  return { service, userId: randomUUID() };
}
const hashOf = (words: string) => createHash("sha256").update(words).digest("hex");

async function send(begun: Awaited<ReturnType<typeof beginUpload>>, words: string) {
  if (typeof begun === "string") return begun;
  const sent = await fetch(backend.url + begun.address, { method: "PUT", body: new Blob([words]) });
  return sent.status;
}

test("[FILE-29] an address takes one upload of the announced bytes, until it ends or restarts", async () => {
  const person = uploader();
  const file = randomUUID();
  const begin = () => beginUpload(person, file, { bytes: 5, sha256: hashOf("words") });
  const [replaced, longer] = [await begin(), await begin()];
  expect([await send(replaced, "words"), await send(longer, "words of more")]).toEqual([409, 413]);
  const address = await begin();
  expect([await send(address, "words"), await send(address, "sword")]).toEqual([200, 409]);
  const sent = (words: string) => ({ bytes: words.length, sha256: async () => hashOf(words) });
  expect([
    await isAnnounced(person, file, sent("words")),
    await isAnnounced(person, file, sent("sword")),
    await isAnnounced(person, file, sent("word")),
  ]).toEqual([true, false, false]);
  const { data } = await person.service.storage
    .from("uploads")
    .download(`${person.userId}/${file}`);
  expect(await data?.text()).toBe("words");
  const last = await begin();
  await leaveUpload(person, file);
  expect(await send(last, "words")).toBe(409);
  if (typeof last !== "string") {
    const without = { address: last.address.replace(/&upload=[^&]*/, "") };
    expect(await send(without, "words")).toBe(409);
  }
  const { data: kept } = await person.service.storage.from("uploads").list(person.userId);
  expect(kept).toEqual([]);
});
