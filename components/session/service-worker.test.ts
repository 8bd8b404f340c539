import { readFileSync } from "node:fs";
import { runInNewContext } from "node:vm";
import { beforeEach, describe, expect, it, vi } from "vitest";

const source = readFileSync(new URL("../../public/service-worker.js", import.meta.url), "utf8");
const origin = "http://app.test";
const document = "/d/00000000-0000-4000-8000-000000000001";
const script = "/_next/static/chunks/abc.js";
const page = '<!DOCTYPE html><html lang="en"><body>Tide table</body></html>';
const build = { "x-palimpsest-build": "b1" };
const ours = { ...build, "x-palimpsest-person": "ana", "content-type": "text/html; charset=utf-8" };
const code = { ...build, "content-type": "application/javascript; charset=UTF-8" };

type Network = (path: string) => Response;
type Fetching = {
  request: { url: string; method: string; mode: string; destination: string };
  respondWith(answer: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
};

type More = { redirected?: boolean; type?: string; url?: string };

/**
 * Creates a response as a browser's `fetch` returns it. Node's constructor supports neither
 * redirects nor types.
 */
function answer(body: string, init: ResponseInit = {}, more: More = {}): Response {
  return responseFrom(new Response(body, init), more);
}

function responseFrom(response: Response, more: More): Response {
  const clone = () => responseFrom(Response.prototype.clone.call(response), more);
  for (const [name, value] of Object.entries({ ...more, clone }))
    Object.defineProperty(response, name, { value });
  return response;
}

class FakeCache {
  readonly responses = new Map<string, Response>();
  private readonly path = (key: string | { url: string }) =>
    new URL(typeof key === "string" ? key : key.url, origin).pathname;
  match = async (key: string | { url: string }) => this.responses.get(this.path(key))?.clone();
  put = async (key: string | { url: string }, value: Response) => {
    if (value.status === 206) throw new TypeError("partial");
    const body = await value.text();
    this.responses.set(
      this.path(key),
      new Response(body, { headers: value.headers, status: value.status }),
    );
  };
  delete = async (key: string | { url: string }) => this.responses.delete(this.path(key));
  keys = async () => [...this.responses.keys()].map((path) => ({ url: origin + path }));
}

/** Runs the service worker from public/ in a fake browser whose storage is made of maps. */
function worker() {
  const all = new Map<string, FakeCache>();
  const listeners = new Map<string, (event: never) => void>();
  const caches = {
    open: async (name: string) => {
      const cache = all.get(name) ?? new FakeCache();
      all.set(name, cache);
      return cache;
    },
    delete: async (name: string) => all.delete(name),
  };
  const asked: string[] = [];
  const state: { network: Network | null } = { network: null };
  const fetch = async (input: string | { url: string }) => {
    const path = new URL(typeof input === "string" ? input : input.url, origin).pathname;
    asked.push(path);
    if (!state.network) throw new TypeError("Failed to fetch");
    return state.network(path);
  };
  class OwnRequest extends Request {
    constructor(path: string) {
      super(new URL(path, origin));
    }
  }
  const self = {
    addEventListener: (name: string, listener: (event: never) => void) =>
      listeners.set(name, listener),
    skipWaiting() {},
    clients: { claim: async () => {} },
    navigator: {},
  };
  const timers = new Set<() => void>();
  const setTimeout = (run: () => void) => {
    timers.add(run);
    return run;
  };
  runInNewContext(source, {
    setTimeout,
    clearTimeout: (timer: () => void) => timers.delete(timer),
    self,
    caches,
    fetch,
    location: new URL(origin),
    URL,
    Request: OwnRequest,
    Response,
    Headers,
    Set,
    console,
  });

  const dispatched = async (event: object, name: string) => {
    const works: Promise<unknown>[] = [];
    const answered: Promise<Response>[] = [];
    const full = {
      ...event,
      waitUntil: (work: Promise<unknown>) => works.push(work),
      respondWith: (response: Promise<Response>) => void answered.push(response),
    } satisfies Partial<Fetching>;
    listeners.get(name)?.(full as never);
    const response = (await answered[0]) ?? null;
    await Promise.all(works);
    return response;
  };
  const ask = (path: string, more: Partial<Fetching["request"]>) =>
    dispatched(
      {
        request: {
          url: origin + path,
          method: "GET",
          mode: "no-cors",
          destination: "script",
          ...more,
        },
      },
      "fetch",
    );
  return {
    asked,
    timers,
    /** Makes every later call of the browser's storage fail. */
    breakStorage: (how: "throws" | "hangs") => {
      const fail = (): Promise<never> =>
        how === "throws"
          ? Promise.reject(new DOMException("no", "SecurityError"))
          : new Promise(() => {});
      Object.assign(caches, { open: fail, delete: fail });
    },
    /** Fires all pending timers. */
    wait: () => {
      const due = [...timers];
      timers.clear();
      for (const run of due) run();
    },
    through: (network: Network | null) => (state.network = network),
    /** Navigates to a page. Returns the shown text, or null if nothing is shown. */
    visit: async (path = document) => {
      const response = await ask(path, { mode: "navigate", destination: "document" }).catch(
        () => null,
      );
      return response === null ? null : response.text().catch(() => null);
    },
    /** Returns only the response, without waiting for the worker's later work. */
    answerTo: (path: string, mode = "no-cors") => {
      const answered: Promise<Response>[] = [];
      const request = { url: origin + path, method: "GET", mode, destination: "script" };
      listeners.get("fetch")?.({
        request,
        waitUntil: () => {},
        respondWith: (response: Promise<Response>) => void answered.push(response),
      } as never);
      return answered[0];
    },
    load: (path = script, destination = "script") => ask(path, { destination }),
    post: (person: string, anew = false) =>
      dispatched({ data: { page: document, parts: [], person, anew } }, "message"),
    forget: () => caches.delete("pages"),
    cachedText: async (name: string, path: string) =>
      (await (await caches.open(name)).match(path))?.text() ?? null,
  };
}

describe("pages cached on a device", () => {
  let device: ReturnType<typeof worker>;
  beforeEach(async () => {
    device = worker();
    device.through(() => answer(page, { headers: ours }));
    await device.post("ana");
  });

  /** Runs timers until the worker's work has finished. */
  const waitedFor = async (work: Promise<unknown>) => {
    let isOver = false;
    void work.finally(() => (isOver = true));
    while (!isOver) {
      device.wait();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const withoutNetwork = async () => {
    device.through(null);
    return device.visit();
  };

  it("[OFFLINE-20] shows a cached page without a network, marked as cached", async () => {
    expect(await withoutNetwork()).toBe(page.replace("<html ", '<html data-kept="" '));
  });

  it.each<[string, () => Response]>([
    [
      "a network’s login page",
      () =>
        answer("<html>Log in to the Wi-Fi</html>", { headers: { "content-type": "text/html" } }),
    ],
    [
      "a redirect to a login page",
      () =>
        answer(
          "<html>Log in</html>",
          { headers: { "content-type": "text/html" } },
          { redirected: true },
        ),
    ],
    [
      "a redirect to another page of the app",
      () => answer(page.replace("Tide table", "Another"), { headers: ours }, { redirected: true }),
    ],
    ["an opaque redirect", () => answer("", {}, { type: "opaqueredirect" })],
    ["an opaque response", () => answer("", {}, { type: "opaque" })],
    [
      "a proxy’s 403",
      () =>
        answer("<html>Blocked</html>", { status: 403, headers: { "content-type": "text/html" } }),
    ],
    [
      "a proxy’s 404",
      () =>
        answer("<html>No such host</html>", {
          status: 404,
          headers: { "content-type": "text/html" },
        }),
    ],
    [
      "a proxy’s 502",
      () =>
        answer("<html>Bad gateway</html>", {
          status: 502,
          headers: { "content-type": "text/html" },
        }),
    ],
    [
      "a truncated page of the app",
      () => answer('<!DOCTYPE html><html lang="en"><body>Tide', { headers: ours }),
    ],
    ["a partial page", () => answer(page, { status: 206, headers: ours })],
    [
      "a response that is not HTML",
      () => answer("{}", { headers: { ...ours, "content-type": "application/json" } }),
    ],
    [
      "an error of the app",
      () => answer("<html>Something went wrong</html>", { status: 500, headers: ours }),
    ],
  ])("[OFFLINE-20] keeps its copy after %s", async (_, made) => {
    device.through(made);
    await device.visit();
    expect(await withoutNetwork()).toContain("Tide table");
  });

  it("[OFFLINE-20] shows the cached page if a gateway cannot reach the app", async () => {
    device.through(() =>
      answer("<html>Bad gateway</html>", { status: 502, headers: { "content-type": "text/html" } }),
    );
    expect(await device.visit()).toContain("Tide table");
  });

  it.each([404, 403, 410, 401])(
    "[OFFLINE-20] drops a page that the app answers with %i",
    async (status) => {
      device.through(() => answer("<html>Document not found</html>", { status, headers: ours }));
      await device.visit();
      expect(await withoutNetwork()).toBeNull();
    },
  );

  it("[OFFLINE-21] shows a page only to its person, and caches none before the person is known", async () => {
    device.through(() =>
      answer(page.replace("Tide table", "Of Ben"), {
        headers: { ...ours, "x-palimpsest-person": "ben" },
      }),
    );
    expect(await device.visit()).toContain("Of Ben");
    expect(await withoutNetwork()).toBeNull();
    device.through(() =>
      answer(page.replace("Tide table", "Of Ben"), {
        headers: { ...ours, "x-palimpsest-person": "ben" },
      }),
    );
    await device.post("ben");
    expect(await withoutNetwork()).toContain("Of Ben");
    await waitedFor(device.post("ana"));
    expect(await device.visit()).toBeNull();
  });

  it.each([
    ["the network is lost", null],
    ["the server is overloaded", () => answer("", { status: 503, headers: ours })],
    ["the server limits the rate", () => answer("", { status: 429, headers: ours })],
  ])("[OFFLINE-4] retries caching a page if %s", async (_, network) => {
    await device.forget();
    device.through(network);
    const posted = device.post("ana");
    await vi.waitFor(() => expect(device.timers.size).toBe(1), { timeout: 40_000 });
    expect(await device.cachedText("pages", document)).toBeNull();
    device.through(() => answer(page, { headers: ours }));
    await waitedFor(posted);
    expect(await withoutNetwork()).toContain("Tide table");
  });

  it.each([
    ["the network is lost", null],
    ["the server is overloaded", () => answer("", { status: 503, headers: code })],
  ])("[OFFLINE-4] caches the rest of a page’s code later if %s meanwhile", async (_, away) => {
    const part = "/_next/static/chunks/part.js";
    let isAway = true;
    device.through((path) => {
      if (path === document)
        return answer(page.replace("Tide", `<script src="${script}"></script>Tide`), {
          headers: ours,
        });
      if (path === script) return answer('import("static/chunks/part.js")', { headers: code });
      if (!isAway) return answer("part()", { headers: code });
      if (away === null) throw new TypeError("Failed to fetch");
      return away();
    });
    // The page's resources are cached at its load, and its code at the next message.
    await device.visit();
    const posted = device.post("ana");
    await vi.waitFor(() => expect(device.timers.size).toBe(1), { timeout: 40_000 });
    expect(await device.cachedText("code", script)).toContain("part.js");
    expect(await device.cachedText("code", part)).toBeNull();
    isAway = false;
    await waitedFor(posted);
    expect(await device.cachedText("code", part)).toBe("part()");
  });

  it.each([
    ["signed out", null],
    ["signed in to another account", "ben"],
  ])("[OFFLINE-21] caches nothing more if the person %s before the retry", async (_, next) => {
    await device.forget();
    device.through(null);
    const posted = device.post("ana");
    await vi.waitFor(() => expect(device.timers.size).toBe(1), { timeout: 40_000 });
    await device.forget();
    device.through(() => answer(page, { headers: ours }));
    const nexts = next === null ? null : device.post(next);
    device.asked.length = 0;
    await waitedFor(Promise.all([posted, nexts]));
    expect(await device.cachedText("pages", document)).toBeNull();
    expect(await device.cachedText("pages", "/.keeper")).not.toBe("ana");
  });

  it("[OFFLINE-4] gives up on a page after four attempts", async () => {
    await device.forget();
    device.through(null);
    device.asked.length = 0;
    await waitedFor(device.post("ana"));
    expect(device.asked).toEqual(Array.from({ length: 4 }, () => document));
  });

  it("[OFFLINE-21] caches nothing that arrives after the person signed out", async () => {
    await device.forget();
    device.through(() => answer(page, { headers: ours }));
    await device.visit();
    expect(await withoutNetwork()).toBeNull();
  });

  it("[OFFLINE-21] caches no page without a named person", async () => {
    await device.forget();
    device.through(() => answer(page, { headers: { ...build, "content-type": "text/html" } }));
    await device.post("ana");
    expect(await withoutNetwork()).toBeNull();
  });
});

describe("a device whose storage fails", () => {
  it.each(["throws", "hangs"] as const)(
    "[SYNC-43] still passes the network’s answers on if it %s",
    async (how) => {
      const device = worker();
      device.breakStorage(how);
      device.through(() => answer("right", { headers: code }));
      const loading = device.answerTo(script);
      await new Promise((resolve) => setImmediate(resolve));
      device.wait();
      expect(await (await loading)?.text()).toBe("right");
      expect(await (await device.answerTo(script))?.text()).toBe("right");
      device.through(() => answer(page, { status: 502, headers: ours }));
      expect(await (await device.answerTo(document, "navigate"))?.text()).toBe(page);
    },
  );
});

describe("code cached on a device", () => {
  it.each<[string, string, Response]>([
    [
      "HTML in its place",
      script,
      answer("<html>Log in</html>", { headers: { "content-type": "text/html" } }),
    ],
    [
      "HTML with the app’s header",
      script,
      answer("<html></html>", { headers: { ...code, "content-type": "text/html" } }),
    ],
    [
      "a script of another server",
      script,
      answer("portal()", { headers: { "content-type": "application/javascript" } }),
    ],
    ["a redirected script", script, answer("x", { headers: code }, { redirected: true })],
    ["a partial script", script, answer("x", { status: 206, headers: code })],
    ["a 404", script, answer("", { status: 404, headers: code })],
    [
      "a script in place of a style sheet",
      "/_next/static/chunks/abc.css",
      answer("x", { headers: code }),
    ],
  ])("[OFFLINE-22] is not %s, which still reaches the page", async (_, path, first) => {
    const device = worker();
    device.through(() => first);
    const response = await device.load(path);
    expect(response?.status).toBe(first.status);
    expect(await device.cachedText("code", path)).toBeNull();
    device.through(() =>
      answer("right", {
        headers: path.endsWith(".css") ? { ...build, "content-type": "text/css" } : code,
      }),
    );
    expect(await (await device.load(path))?.text()).toBe("right");
    device.through(null);
    expect(await (await device.load(path))?.text()).toBe("right");
  });

  it(
    "[OFFLINE-23] answers a worker with a response without a URL, " +
      "with its content security policy",
    async () => {
      const device = worker();
      const path = "/_next/static/chunks/turbopack-worker-1.js";
      device.through(() =>
        answer(
          "work()",
          { headers: { ...code, "content-security-policy": "default-src 'none'" } },
          { url: origin + path },
        ),
      );
      for (const network of [true, false]) {
        if (!network) device.through(null);
        const response = await device.load(path, "worker");
        expect(response?.url).toBe("");
        expect(response?.headers.get("content-security-policy")).toBe("default-src 'none'");
        expect(await response?.text()).toBe("work()");
      }
    },
  );
});
