import "@/events/device/indexed-db.fixture";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import type { WaitingFile } from "@/events/device/waiting-files";

afterEach(() => vi.unstubAllGlobals());
afterAll(() => {
  vi.resetModules();
});

/** The Web Locks of one browser, limited to the calls that the product makes. */
function lockManager() {
  const queues = new Map<string, (() => void)[]>();
  const queueOf = (name: string) => queues.get(name) ?? [];
  type Options = { ifAvailable?: boolean; signal?: AbortSignal };
  return {
    isFree: () => [...queues.values()].every(({ length }) => length === 0),
    async request(
      name: string,
      { ifAvailable, signal }: Options,
      run: (lock: object | null) => unknown,
    ) {
      if (ifAvailable === true && queueOf(name).length > 0) return run(null);
      let enter = () => undefined as void;
      const granted = new Promise<void>((resolve, reject) => {
        enter = resolve;
        signal?.addEventListener("abort", () => {
          queues.set(
            name,
            queueOf(name).filter((other, index) => index === 0 || other !== enter),
          );
          reject(signal.reason as Error);
        });
      });
      queues.set(name, [...queueOf(name), enter]);
      if (queueOf(name).length === 1) enter();
      await granted;
      try {
        return await run({ name });
      } finally {
        queues.set(name, queueOf(name).slice(1));
        queueOf(name)[0]?.();
      }
    },
  };
}

/** A browser whose uploads progress when the test requests it, and the requests of its tabs. */
function browser() {
  const asked: string[] = [];
  const sending: EventTarget[] = [];
  class Upload extends EventTarget {
    readonly upload = new EventTarget();
    readonly status = 200;
    open(method: string, address: string) {
      asked.push(`${method} ${address}`);
    }
    setRequestHeader() {}
    send() {
      sending.push(this);
    }
  }
  const locks = lockManager();
  vi.stubGlobal("navigator", { onLine: true, locks });
  vi.stubGlobal("XMLHttpRequest", Upload);
  vi.stubGlobal("fetch", async (path: string, { method }: { method: string }) => {
    asked.push(`${method} ${path}`);
    return Response.json({ address: "/there" });
  });
  const tab = async () => {
    vi.resetModules();
    const [uploads, { onFileArrival }] = [await import("./uploads"), await import("./arrivals")];
    const arrived: string[] = [];
    onFileArrival((file) => arrived.push(file));
    return { ...uploads, arrived };
  };
  const arrive = () => sending.splice(0).forEach((one) => one.dispatchEvent(new Event("load")));
  return { asked, sending, arrive, tab, locks };
}

it("[FILE-37] a second tab waits for another tab’s upload, and shows the file with it", async () => {
  const { asked, sending, arrive, tab, locks } = browser();
  const waiting: WaitingFile = {
    file: "pier",
    event: "e",
    document: "notes",
    userId: "ana",
    name: "pier.png",
    kind: "image",
    bytes: new Blob(["pier"]),
  };
  const [first, second] = [await tab(), await tab()];
  first.startUpload(waiting);
  await expect.poll(() => sending.length).toBe(1);
  await second.resumeUploads("notes", "ana");
  await second.resumeUploads("notes", "ana");
  await expect
    .poll(() => second.uploadOf("pier")?.actor.getSnapshot().value)
    .toEqual({ claiming: "waiting" });
  arrive();
  await expect.poll(() => [first.uploadOf("pier"), second.uploadOf("pier")]).toEqual([null, null]);
  expect(asked).toEqual(["POST /d/notes/files/pier", "PUT /there", "PUT /d/notes/files/pier"]);
  expect([first.arrived, second.arrived]).toEqual([["pier"], ["pier"]]);
  await expect.poll(locks.isFree).toBe(true);
  await (await tab()).resumeUploads("notes", "ana");
  expect(asked).toHaveLength(3);
});
