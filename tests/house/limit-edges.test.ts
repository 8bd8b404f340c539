import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import * as Y from "yjs";
import { ByteWriter } from "@/events/core/bytes/bytes";
import { ClientTable } from "@/events/crdt/payload/payload-clients";
import { inspectUpdate } from "@/events/crdt/updates/update-inspection";
import { jsonText, parseAttachments, parsePeople } from "@/events/proof/bundle-format";
import { EditBatches } from "@/machines/sync/pending/edit-batches";
import { AnswerFilter } from "@/supabase/local/http/answer-limit";
import { parseAuthBody } from "@/supabase/local/auth/auth-body";
import {
  CallTurns,
  mostAppendCalls,
  mostCalls,
  mostFiles,
  mostReads,
  mostPages,
} from "@/supabase/local/http/call-turns";
import { inShare, ThreadShares } from "@/supabase/local/http/thread-shares";
import { openMailbox } from "@/supabase/local/mail/mailbox";
import { fakeServer, ManualClock, settled } from "@/supabase/local/realtime/fake-client";
import { handleBroadcast } from "@/supabase/local/realtime/http";
import { PresenceCalls } from "@/supabase/local/realtime/limits";
import { parseJson } from "@/supabase/local/realtime/frames/frame";
import { Presence } from "@/supabase/local/realtime/presence";
import { Shares } from "@/supabase/local/realtime/shares";
import { Deliveries, mostDeliveries } from "@/supabase/local/realtime/topics/deliveries";
import { AppendTurns } from "@/supabase/local/rest/append-turns";
import { SharedBudget } from "@/supabase/local/http/shared-budget";
import { callOf } from "@/supabase/local/http/call.fixture";
import { answerStorage } from "@/supabase/local/storage/storage-calls";
import { ofLog, others, said } from "./limit-tables";

/** Whether an input of this size is accepted. */
type Fits = (size: number) => boolean | Promise<boolean>;

const list = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index));
const isFine = (work: () => unknown) => {
  try {
    work();
    return true;
  } catch {
    return false;
  }
};
const stays = () => new AbortController().signal;

/** Whether this many concurrent calls of one account all begin, whatever their answers. */
const begunAtOnce =
  (most: typeof mostCalls, answer: () => Promise<Response>): Fits =>
  async (size) => {
    const turns = new CallTurns(most);
    let begun = 0;
    for (let call = 0; call < size; call += 1) {
      void turns.take("mallory", stays(), () => {
        begun += 1;
        return answer();
      });
      await settled();
    }
    return begun === size;
  };
/** Whether one call each of this many accounts can run at the same time. */
const begunOfAll =
  (most: typeof mostCalls): Fits =>
  async (size) => {
    const turns = new CallTurns(most);
    const begun: number[] = [];
    for (let at = 0; at < size; at += 1)
      void turns.take(`account ${at}`, stays(), () => (begun.push(at), unanswered()));
    await settled();
    return begun.length === size;
  };
const unanswered = () => new Promise<Response>(() => undefined);
const answered = () => Promise.resolve(new Response("[]"));

const budget =
  (key: "perKey" | "overall"): Fits =>
  async (size) => {
    const room = { perKey: 32 * 2 ** 20, overall: 256 * 2 ** 20 };
    const held = new SharedBudget({ ...room, ...(key === "overall" && { perKey: Infinity }) });
    void held.take("an address", size, stays());
    await settled();
    return held.waiting === 0;
  };

async function mailsKept(size: number, addresses: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "mails-"));
  const mail = { id: "1", subject: "", html: "", text: "", sentAt: "" };
  const to = (at: number) => (addresses > 1 ? `guest.${at}@example.com` : "ben@example.com");
  const mails = list(size - 1, (at) => ({ ...mail, to: to(at) }));
  await writeFile(join(folder, "mail.json"), JSON.stringify(mails));
  const mailbox = await openMailbox(folder);
  await mailbox.send({ to: "ben@example.com", subject: "one more" });
  await rm(folder, { recursive: true });
  return mailbox.messages().length === size;
}

/** Whether a join with this topic, config and payload is accepted. */
const joined = async (topic: string, config: object = {}, more: object = {}) => {
  const server = fakeServer();
  const client = server.connect();
  await client.join(topic, { ...config }, { ...more });
  server.clock.advance(100);
  await settled();
  const reply = client.last("phx_reply")?.payload;
  return JSON.stringify(reply).includes('"status":"ok"');
};
const filled = (bytes: number, make: (text: string) => unknown) =>
  "x".repeat(bytes - Buffer.byteLength(JSON.stringify(make(""))));

async function channelsOfConnection(size: number): Promise<boolean> {
  const server = fakeServer();
  const client = server.connect();
  for (let at = 0; at < size; at += 1) await client.join(`realtime:${at}`, {}, {}, String(at));
  server.clock.advance(100);
  await settled();
  return client.take().every(({ payload }) => !JSON.stringify(payload).includes('"error"'));
}

/** Whether a presence of `size` bytes, including brackets and key, is accepted. */
const present = (person: string | null, size: number) => {
  const envelope = 100 + '"k"'.length;
  const text = filled(size - envelope, (words) => ({ text: words }));
  return new Presence<string>().track("tab", "k", { text }, "1", person) !== "full";
};

async function presenceOf(size: number): Promise<boolean> {
  const server = fakeServer();
  const client = server.connect();
  await client.join("realtime:a", { presence: { enabled: true, key: "k" } });
  const text = filled(size, (words) => ({ text: words }));
  client.send("1", "2", "realtime:a", "presence", { event: "track", payload: { text } });
  return !client.events().includes("phx_close");
}

/** An update with a value nested this deeply in lists. */
function nested(depth: number): Uint8Array {
  const doc = new Y.Doc();
  let value: unknown = 1;
  for (let at = 0; at < depth; at += 1) value = [value];
  doc.getArray("a").insert(0, [value]);
  return Y.encodeStateAsUpdate(doc);
}

const edges: Record<string, Fits> = {
  "events of a page at once": (size) => {
    const batches = new EditBatches();
    const proposal = { id: "", type: "document.edited" as const, body: {} };
    batches.add(list(size, (at) => ({ key: String(at), proposal, edits: [] })));
    return batches.next(Infinity).length === size;
  },
  "depth of a value": (size) => isFine(() => inspectUpdate(nested(size))),
  "clients of a payload": (size) => {
    const table = new ClientTable();
    const writer = new ByteWriter();
    for (let client = 0; client < size; client += 1) table.introduce(writer, client);
    return !table.overflows;
  },
  "images and files": (size) =>
    isFine(() =>
      parseAttachments(
        jsonText(
          list(size, (at) => ({
            sha256: String(at).padStart(64, "0"),
            bytes: 1,
            name: "shelf.png",
            type: "image/png",
          })),
        ),
      ),
    ),
  people: (size) =>
    isFine(() =>
      parsePeople(
        jsonText(
          list(size, (at) => ({
            id: `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`,
            name: "Ana",
            color: 1,
          })),
        ),
      ),
    ),
  "bodies coming of an account": budget("perKey"),
  "bodies coming, in all": budget("overall"),
  "what a statement answers": (size) => {
    const row = Buffer.alloc(5, "D");
    row.writeUInt32BE(size - 1, 1);
    return new AnswerFilter(16 * 2 ** 20).take(row).equals(row);
  },
  "calls of an account at once": begunAtOnce(mostCalls, unanswered),
  "its answers unread": begunAtOnce(mostCalls, answered),
  "calls of all at once": begunOfAll(mostCalls),
  "reads of the log at once": begunAtOnce(mostReads, unanswered),
  "reads of the log of all": begunOfAll(mostReads),
  "append calls of an account": begunAtOnce(mostAppendCalls, unanswered),
  "appends through REST": async (size) => {
    const turns = new AppendTurns();
    const taken = list(size, (at) => {
      const keys = { account: `${at}`, stream: `${at}`, workspace: null, throughRest: true };
      return turns.take(keys, stays());
    });
    return (await Promise.race([Promise.all(taken), settled()])) !== undefined;
  },
  "pages of an account at once": begunAtOnce(mostPages, unanswered),
  "its pages unread": begunAtOnce(mostPages, answered),
  "files of a network at once": begunAtOnce(mostFiles, unanswered),
  "files of all at once": begunOfAll(mostFiles),
  "calls that wait": async (size) => {
    const turns = new CallTurns(mostCalls);
    const calls = list(mostCalls.unread + size, () => turns.take("mallory", stays(), unanswered));
    return (await Promise.race([calls.at(-1), settled()])) === undefined;
  },
  "calls that wait for a share": async (size) => {
    let worked = 0;
    const shares = new ThreadShares({ now: () => 0, after: () => () => undefined }, () => worked);
    const asked = { payer: "mallory", pays: "account", kind: "call", weight: 1 } as const;
    const end = await shares.enter(asked, stays());
    void shares.enter({ ...asked, payer: "ana" }, stays());
    worked = 10_000;
    end();
    const calls = list(size, () => inShare(shares, asked, stays(), unanswered));
    return (await Promise.race([calls.at(-1), settled()])) === undefined;
  },
  "paths of a signing": async (size) => {
    const storage = answerStorage({
      lite: async () => Response.json({ signedUrl: "/storage/v1/object/sign/files/a" }),
      jwtSecret: "",
      limitOf: async () => null,
      readable: async (_caller, _operation, _bucket, names) => new Set(names),
      entries: async () => [],
      uploads: { takeAddress: async () => null, hasRoom: async () => true },
    });
    const body = JSON.stringify({ expiresIn: 60, paths: list(size, (at) => `${at}.png`) });
    const address = "http://localhost/storage/v1/object/sign/files";
    const request = new Request(address, { method: "POST", body });
    return (await storage({ ...callOf(request), inTurn: (work) => work() }, request)).ok;
  },
  "depth of a body of auth": (size) => {
    const text = '{"a":'.repeat(size) + "1" + "}".repeat(size);
    return parseAuthBody(Buffer.from(text), new Headers()) !== null;
  },
  "mails kept": (size) => mailsKept(size, size),
  "mails kept of an address": (size) => mailsKept(size, 1),
  "channels of a connection": channelsOfConnection,
  "channels of a person": (size) => {
    const shares = new Shares(new ManualClock());
    return list(size, (at) => shares.enter("ana", String(at % 10))).every((it) => it === "entered");
  },
  "channels of a person on a topic": (size) => {
    const shares = new Shares(new ManualClock());
    return list(size, () => shares.enter("ana", "a")).every((it) => it === "entered");
  },
  "joins of a person, 10 s": (size) => {
    const shares = new Shares(new ManualClock());
    return list(size, () => shares.mayJoin("ana")).every(Boolean);
  },
  "presence calls of a person, 30 s": (size) => {
    const shares = new Shares(new ManualClock());
    return list(size, () => shares.mayCall("ana", "a")).every(Boolean);
  },
  "presence calls of a channel, 30 s": (size) => {
    const calls = new PresenceCalls(new ManualClock());
    return list(size, () => calls.admit()).every(Boolean);
  },
  presence: presenceOf,
  "presences of a person on a topic": (size) => present("ana", size),
  "presences of a topic": (size) => present(null, size),
  topic: (size) => joined(`realtime:${"t".repeat(size)}`),
  "presence key": (size) => joined("realtime:a", { presence: { key: "k".repeat(size) } }),
  join: (size) => {
    const frame = (filling: string) => ({ config: {}, filling });
    return joined("realtime:a", {}, { filling: filled(size, frame) });
  },
  "deliveries of a person, at once": (size) => {
    const deliveries = new Deliveries(new ManualClock());
    deliveries.charge("ana", size, 1);
    return deliveries.restOf("ana") === 0;
  },
  "deliveries of a person, a second": (size) => {
    const clock = new ManualClock();
    const deliveries = new Deliveries(clock);
    deliveries.charge("ana", mostDeliveries.atOnce + size, 1);
    clock.advance(1_000);
    return deliveries.restOf("ana") === 0;
  },
  "depth of a frame's JSON": (size) =>
    isFine(() => parseJson(Buffer.from("[".repeat(size) + "]".repeat(size)))),
  "values of a frame's JSON": (size) =>
    isFine(() => parseJson(Buffer.from(JSON.stringify(list(size, () => 0))))),
  "private topics of a call": async (size) => {
    const server = fakeServer();
    const message = { event: "x", payload: {}, private: true };
    const messages = list(size, (at) => ({ ...message, topic: `t${at}` }));
    const request = new Request("http://localhost/realtime/v1/api/broadcast", {
      method: "POST",
      body: JSON.stringify({ messages }),
      headers: { authorization: `Bearer ${server.token()}` },
    });
    return (await handleBroadcast(server.hub, request))?.status === 202;
  },
};

/** Rules whose own tests cover one less than the limit, the limit, and one more. */
const shownByRule = /^(LIMIT-[2-7]|LOG-5[23]) /;
/** Rows whose edges are tested under a broader rule. */
const shownThere = [
  "`workspace_file_bytes`",
  "`account_file_bytes`",
  "free disk, at least",
  "`account_uploads`",
  "letters looked for",
  "password",
  "unjoined connections of an address",
  "comments of an import",
  "stored pictures of a person",
  "mailed invitations, a day",
  "of them to an address",
];
/**
 * Limits that have no exact edge, or need the whole product or gigabytes; tests exceed them
 * clearly.
 */
const exceededClearly: Record<string, string> = {
  icon: "one emoji, and few are nearly as long",
  "letters of a first page": "about so many: blocks and breaks count as well",
  "client ids of a copy-in": "as of a bundle's events, which are held to the same number",
  "bytes of a payload": "PAYLOAD-5 unfolds twice as much",
  "steps to undo": "the oldest go a hundred at a time",
  events: "a million of them: the number of the manifest is held to it",
  "steps of an import": "what is over is left out with a sentence",
  "bytes of its edits": "half a gigabyte",
  "file of storage": "of the whole product, by megabytes",
  "form of the app": "the reader of bodies, which LIMIT-4 tries, with another number",
  "rows of an answer of REST": "Supabase Lite's own",
  "a statement": "a time",
  frame: "of the library: one byte more, over a socket",
  broadcast: "500 bytes more pass for the envelope, as at Supabase",
  "unsent to a connection": "as much more as one turn brings",
  "messages a second, free plan": "an average, as at Supabase",
  "messages a second, pro plan": "an average, as at Supabase",
  "light work": "a time",
  "its memory, MB": "the engine's",
  "light work that waits": "with START-21, by a smaller number",
  "heavy work": "a time",
  "a small image": "a time",
  "a large image": "a time",
  "memory of an image, MB": "of the operating system, and measured ten times a second",
  "pixels of a small image": "which lane decodes it, and either one does",
  "heavy work that waits": "with START-21, by a smaller number",
};

const rows = [...ofLog, ...others].map(([name = "", most = "", ...rest]) => ({
  name,
  most: said(most),
  rule: rest.at(-1) ?? "",
}));

describe("every row of docs/spec/limits.md", () => {
  it("[LIMIT-8] is tested at its limit, or says why not", () => {
    const names = rows.map(({ name }) => name);
    const without = rows.filter(
      ({ name, rule }) =>
        !shownByRule.test(rule) &&
        !(name in edges) &&
        !(name in exceededClearly) &&
        !shownThere.includes(name),
    );
    expect(without.map(({ name }) => name)).toEqual([]);
    const said = [...Object.keys(edges), ...Object.keys(exceededClearly), ...shownThere];
    expect(said.filter((name) => !names.includes(name))).toEqual([]);
    expect(said.filter((name, index) => said.indexOf(name) !== index)).toEqual([]);
  });

  it.each(rows.filter(({ name }) => name in edges))(
    "[LIMIT-8] $name: one less than $most and as many fit, and one more does not",
    async ({ name, most }) => {
      const fits = edges[name];
      if (!fits) throw new Error(`${name} has no test.`);
      const found = [];
      for (const size of [most - 1, most, most + 1]) found.push(await fits(size));
      expect(found).toEqual([true, true, false]);
    },
  );
});
