import "@/events/device/indexed-db.fixture";
import { afterEach, expect, it } from "vitest";
import { waitFor } from "xstate";
import type { WaitingLocks } from "@/events/device/tab-locks";
import { isFileWaiting, keepFile } from "@/events/device/waiting-files";
import type { WaitingFile } from "@/events/device/waiting-files";
import { fileUpload } from "./file-upload";
import type { FileUpload } from "./file-upload";
import { UploadError } from "./upload";

/** The locks that a browser's tabs share. The browser releases the locks of a tab that dies. */
function browserLocks() {
  const queues = new Map<string, { tab: string; grant: () => void }[]>();
  const queueOf = (name: string) => {
    const queue = queues.get(name) ?? [];
    queues.set(name, queue);
    return queue;
  };
  const leave = (name: string, left: (one: { tab: string; grant: () => void }) => boolean) => {
    const queue = queueOf(name);
    const [holder] = queue;
    const staying = queue.filter((one) => !left(one));
    queues.set(name, staying);
    if (staying[0] !== holder) staying[0]?.grant();
  };
  const locksOf = (tab: string): WaitingLocks => {
    const join = (name: string, grant: (release: () => void) => void) => {
      const queue = queueOf(name);
      const own = { tab, grant: () => grant(release) };
      const release = () => leave(name, (one) => one === own);
      queue.push(own);
      if (queue.length === 1) own.grant();
      return release;
    };
    return {
      hold: (name) =>
        new Promise((resolve) => {
          if (queueOf(name).length > 0) resolve(null);
          else join(name, resolve);
        }),
      wait: (name, signal) =>
        new Promise((resolve, reject) => {
          const release = join(name, resolve);
          signal.addEventListener("abort", () => {
            release();
            reject(signal.reason as Error);
          });
        }),
    };
  };
  const crash = (tab: string) => {
    for (const name of queues.keys()) leave(name, (one) => one.tab === tab);
  };
  const isFree = () => [...queues.values()].every((queue) => queue.length === 0);
  return { locksOf, crash, isFree };
}

let files = 0;
const running = new Set<FileUpload>();
afterEach(() => {
  for (const actor of running) actor.stop();
  running.clear();
});

/**
 * Creates one file in one browser, and a service on which a second upload invalidates the first
 * address.
 */
function world() {
  files += 1;
  const waiting: WaitingFile = {
    file: `file-${files}`,
    event: "e",
    document: "notes",
    userId: "ana",
    name: "pier.png",
    kind: "image",
    bytes: new Blob(["pier"]),
  };
  const { locksOf, crash, isFree } = browserLocks();
  const asked: string[] = [];
  let addresses = 0;
  let arrivals: (() => void)[] | null = null;
  const tab = (name: string, isKept = true) => {
    const actor = fileUpload({
      waiting,
      isKept,
      locks: locksOf(name),
      steps: {
        begin: async () => {
          addresses += 1;
          asked.push(`${name} begins`);
          return { address: String(addresses) };
        },
        send: async (address, _onSent, signal) => {
          asked.push(`${name} sends`);
          await new Promise<void>((sent, fail) => {
            signal.addEventListener("abort", () => fail(signal.reason as Error));
            if (arrivals) arrivals.push(sent);
            else sent();
          });
          if (address !== String(addresses))
            throw new UploadError({ message: "Not uploaded.", final: false });
        },
        settle: async () => void asked.push(`${name} settles`),
        onConnection: () => () => undefined,
      },
    });
    running.add(actor.start());
    return actor;
  };
  return {
    waiting,
    asked,
    tab,
    isFree,
    die: (actor: FileUpload, name: string) => {
      actor.stop();
      crash(name);
    },
    /** Delays all bytes sent after this call until `arrive`. */
    slow: () => {
      arrivals = [];
    },
    /** Invalidates the address of the upload that has begun. */
    expire: () => {
      addresses += 1;
    },
    isSending: () => expect.poll(() => (arrivals ?? []).length).toBeGreaterThan(0),
    arrive: () => {
      const late = arrivals ?? [];
      arrivals = null;
      for (const sent of late) sent();
    },
  };
}

const is = (actor: FileUpload, state: "done" | "cancelled" | "failed") =>
  waitFor(actor, (now) => now.matches(state));
const waits = (actor: FileUpload) => waitFor(actor, (now) => now.matches({ claiming: "waiting" }));

it("[FILE-37] a second tab waits while the first one sends slowly, and both show the file as uploaded", async () => {
  const { waiting, asked, tab, slow, isSending, arrive, isFree } = world();
  slow();
  const first = tab("first", false);
  await isSending();
  const second = tab("second");
  await waits(second);
  arrive();
  await Promise.all([is(first, "done"), is(second, "done")]);
  expect(asked).toEqual(["first begins", "first sends", "first settles"]);
  await expect.poll(isFree).toBe(true);
  expect(await isFileWaiting(waiting.file)).toBe(false);
});

it("[FILE-37] tabs that resume an upload at the same time send the file once", async () => {
  const { waiting, asked, tab, isFree } = world();
  await keepFile(waiting);
  const all = ["first", "second", "third"].map((name) => tab(name));
  await Promise.all(all.map((actor) => is(actor, "done")));
  expect(asked).toEqual(["first begins", "first sends", "first settles"]);
  await expect.poll(isFree).toBe(true);
});

it("[FILE-37] a tab goes on with the upload of a tab that was closed, and sends the file once", async () => {
  const { asked, tab, die, slow, isSending, arrive } = world();
  slow();
  const first = tab("first", false);
  await isSending();
  const second = tab("second");
  await waits(second);
  die(first, "first");
  await expect.poll(() => asked).toContain("second sends");
  arrive();
  await is(second, "done");
  expect(asked.slice(2)).toEqual(["second begins", "second sends", "second settles"]);
});

it("[FILE-37] an upload that another tab cancels ends in both, and no tab resumes it", async () => {
  const { waiting, asked, tab, slow, isSending, isFree } = world();
  slow();
  const first = tab("first", false);
  await isSending();
  const second = tab("second");
  await waits(second);
  second.send({ type: "cancel" });
  await Promise.all([is(first, "cancelled"), is(second, "cancelled")]);
  await is(tab("third"), "done");
  expect(asked).toEqual(["first begins", "first sends"]);
  await expect.poll(isFree).toBe(true);
  expect(await isFileWaiting(waiting.file)).toBe(false);
});

it("[FILE-37] a tab that stops waiting leaves the turn to the next one", async () => {
  const { asked, tab, die, slow, isSending, arrive } = world();
  slow();
  const first = tab("first", false);
  await isSending();
  const second = tab("second");
  await waits(second);
  const third = tab("third");
  await waits(third);
  die(second, "second");
  die(first, "first");
  arrive();
  await is(third, "done");
  expect(asked.slice(2)).toEqual(["third begins", "third sends", "third settles"]);
});

it("[FILE-37] another tab tries once the first one has failed, and the first one shows the file as uploaded", async () => {
  const { asked, tab, slow, expire, isSending, arrive, isFree } = world();
  slow();
  const first = tab("first", false);
  const failed = is(first, "failed");
  await isSending();
  const second = tab("second");
  await waits(second);
  expire();
  arrive();
  await failed;
  await Promise.all([is(first, "done"), is(second, "done")]);
  expect(asked.slice(2)).toEqual(["second begins", "second sends", "second settles"]);
  await expect.poll(isFree).toBe(true);
});

it("[FILE-37] a retry finds out that another tab has stored the file", async () => {
  const { waiting, asked, tab, slow, expire, isSending, arrive } = world();
  slow();
  const first = tab("first", false);
  await isSending();
  expire();
  arrive();
  await is(first, "failed");
  slow();
  const second = tab("second");
  await isSending();
  first.send({ type: "retry" });
  await waits(first);
  arrive();
  await Promise.all([is(first, "done"), is(second, "done")]);
  expect(asked.slice(2)).toEqual(["second begins", "second sends", "second settles"]);
  expect(await isFileWaiting(waiting.file)).toBe(false);
});

it("[FILE-37] a browser without locks uploads all the same", async () => {
  const { waiting } = world();
  const refuse = () => Promise.reject(new DOMException("no", "SecurityError"));
  const settled: string[] = [];
  const actor = fileUpload({
    waiting,
    isKept: false,
    locks: { hold: refuse, wait: refuse },
    steps: {
      begin: async () => ({ address: "a" }),
      send: async () => undefined,
      settle: async () => void settled.push("settled"),
      onConnection: () => () => undefined,
    },
  });
  await is(actor.start(), "done");
  expect(settled).toEqual(["settled"]);
});

it("[FILE-37] a tab that learnt of the file before it was stored sends nothing", async () => {
  const { waiting, asked, tab, isFree } = world();
  await is(tab("first", false), "done");
  await expect.poll(isFree).toBe(true);
  expect(await isFileWaiting(waiting.file)).toBe(false);
  await is(tab("second"), "done");
  expect(asked).toEqual(["first begins", "first sends", "first settles"]);
});

it("[FILE-37] an upload that is cancelled while it takes the lock gives it back", async () => {
  const { waiting, asked, tab, isFree } = world();
  const actor = tab("first", false);
  expect(isFree()).toBe(false);
  actor.send({ type: "cancel" });
  await expect.poll(isFree).toBe(true);
  expect(asked).toEqual([]);
  expect(await isFileWaiting(waiting.file)).toBe(false);
});
