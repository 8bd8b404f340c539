// Keeps the documents that were opened on this device, and the code of their pages, for when there is no network. It
// answers nothing that the network can: a page comes from here only where the server could not be reached at all.
const pages = "pages";
const code = "code";
const mostPages = 60;
const mostCode = 600;

// Every answer of the app says which build made it. A login page of a network, a proxy's error and the like do not, and
// are never kept. A page says as well whom it was made for.
const buildHeader = "x-palimpsest-build";
const personHeader = "x-palimpsest-person";
/** Where, among the pages, it is written whose they are. */
const cacheOwnerPath = "/.keeper";

// A named version has the address of its document and is not what stands there.
const isDocument = (url) =>
  url.origin === location.origin &&
  /^\/d\/[0-9a-f-]{36}$/.test(url.pathname) &&
  !url.searchParams.has("version");
const isCode = (url) => url.origin === location.origin && url.pathname.startsWith("/_next/static/");
const isOfApp = (answer) => answer.headers.has(buildHeader);

const types = { js: /^(?:text|application)\/javascript/, css: /^text\/css/, woff2: /^font\// };

/** Whether an answer is the file that was asked for: the app's, whole, and of the right type. */
function isFile(answer, path) {
  const type = answer.headers.get("content-type") ?? "";
  const fits =
    types[path.split(".").at(-1)]?.test(type) ?? (type !== "" && !type.startsWith("text/html"));
  return answer.status === 200 && !answer.redirected && isOfApp(answer) && fits;
}

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET") return;
  const waitUntil = (work) => event.waitUntil(work);
  if (isCode(url))
    event.respondWith(
      request.destination === "worker"
        ? codeOfWorker(request, waitUntil)
        : codeOf(request, waitUntil),
    );
  else if (request.mode === "navigate" && isDocument(url))
    event.respondWith(pageOf(event, url.pathname));
});

// A page says who reads it, and one that was loaded before this worker ran, what it was made of.
self.addEventListener("message", (event) => {
  const { page, parts, person, anew } = event.data;
  const url = new URL(page, location.origin);
  const work = () => cacheShown(url, parts, anew);
  event.waitUntil(
    claim(person).then(
      () => withRetries(person, work),
      () => undefined,
    ),
  );
});

/** Milliseconds after which what could not be cached is tried again; no browser lets a worker try for ever. */
const retryDelays = [1_000, 5_000, 20_000];

/**
 * Does work again until it succeeds, as often as there are delays, for as long as what is cached is this person's:
 * whoever has signed out meanwhile, or in as somebody else, has nothing cached.
 */
async function withRetries(person, work) {
  const attempt = () =>
    work().then(
      () => true,
      () => false,
    );
  if (await attempt()) return;
  for (const delay of retryDelays) {
    // Everybody who lost a server at the same moment would otherwise ask it again at the same moment.
    await new Promise((resume) => setTimeout(resume, delay * (0.5 + Math.random() / 2)));
    if ((await cacheOwner()) !== person || (await attempt())) return;
  }
}

/** Makes what is cached a person's; nothing of another stays. */
async function claim(person) {
  if ((await cacheOwner()) === person) return;
  await caches.delete(pages);
  await (await caches.open(pages)).put(cacheOwnerPath, new Response(person));
}

async function cacheShown(url, parts, anew) {
  const works = [cacheCode(parts), isDocument(url) ? renew(url.pathname, anew) : null];
  const fault = (await Promise.allSettled(works)).find(({ status }) => status === "rejected");
  if (fault) throw fault.reason;
}

async function renew(path, anew) {
  const kept = anew ? null : await (await caches.open(pages)).match(path, { ignoreVary: true });
  if (kept) return cacheCode(codeIn(await kept.text()));
  const answer = await fetch(path, { headers: { accept: "text/html" } });
  if (isForLater(answer)) throw new Error(`${path} is not to be had now`);
  await cachePage(path, answer);
}

/** Whether the server has what was asked for, and cannot give it at this moment. */
const isForLater = ({ status }) => status === 429 || status >= 500;

/** The code that a page is made of. */
const codeIn = (html) => html.match(/\/_next\/static\/[\w./~-]+\.(?:js|css|woff2)/g) ?? [];

const devicePatience = 3_000;
let silent = false;

/**
 * What the device's storage answers; nothing where it throws or does not answer, and it is not
 * waited for twice: whatever it does, what the network answers stands.
 */
async function fromDevice(work) {
  if (silent) return undefined;
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => {
      silent = true;
      resolve();
    }, devicePatience);
  });
  const answer = await Promise.race([work().catch(() => undefined), late]);
  clearTimeout(timer);
  return answer;
}

/** What was looked through for more in the life of this worker. */
const seen = new Set();
/** What something of that asks for, and could not be had yet. */
const missing = new Set();

// The name of such a file changes with what is in it, so a kept one is never old.
async function codeOf(request, waitUntil) {
  const { pathname } = new URL(request.url);
  const found = await fromDevice(async () =>
    (await caches.open(code)).match(request, { ignoreVary: true }),
  );
  if (found && isFile(found, pathname)) return found;
  const answer = await fetch(request);
  // What cannot be kept, for want of room or because it broke off, is still what the network answered.
  if (isFile(answer, pathname)) {
    const copy = answer.clone();
    waitUntil(putCode(request, copy).catch(() => undefined));
  }
  return answer;
}

const putCode = async (request, answer) => (await caches.open(code)).put(request, answer);

// A worker's address is that of the answer, if the answer has one, and that of a kept or fetched
// answer lacks the part behind the #, in which Turbopack says what the worker is made of. One that
// is made here has none, so the request's holds.
async function codeOfWorker(request, waitUntil) {
  const answer = await codeOf(request, waitUntil);
  if (!answer.ok) return answer;
  return new Response(await answer.blob(), { headers: ownHeaders(answer) });
}

function ownHeaders(answer) {
  const headers = new Headers(answer.headers);
  for (const name of ["content-encoding", "content-length", "set-cookie"]) headers.delete(name);
  return headers;
}

// Everything that these parts of a page can ask for, one after another: loaded anew, a page is made of other parts than
// one that was come to by a link. Throws at its end where a part cannot be had at this moment: a page without it would
// stand there without a network, and do nothing.
async function cacheCode(parts) {
  const waiting = [...missing, ...parts]
    .map((part) => new URL(part, location.origin))
    .filter(isCode)
    .map((url) => url.pathname);
  const tried = new Set();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || tried.has(path)) continue;
    tried.add(path);
    let writing = null;
    const answer = await codeOf(new Request(path), (work) => (writing = work)).catch(() => null);
    await writing;
    missing.add(path);
    if (!answer || isForLater(answer)) continue;
    if (!isFile(answer, path)) {
      missing.delete(path);
      continue;
    }
    const text =
      path.endsWith(".js") && !self.navigator.connection?.saveData
        ? await answer.text().catch(() => null)
        : "";
    if (text === null) continue;
    missing.delete(path);
    seen.add(path);
    for (const [part] of text.matchAll(/static\/chunks\/[\w.~-]+\.(?:js|css)/g))
      waiting.push(`/_next/${part}`);
  }
  if (missing.size > 0) throw new Error("A part of a page is not to be had now");
}

async function pageOf(event, path) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(cachePage(path, answer.clone()).catch(() => undefined));
    // What stands before a server answers so for one that it cannot reach.
    return (
      ([502, 503, 504].includes(answer.status) && (await fromDevice(() => cachedPage(path)))) ||
      answer
    );
  } catch (fault) {
    const found = await fromDevice(() => cachedPage(path));
    if (!found) throw fault;
    return found;
  }
}

async function cacheOwner() {
  const record = await (await caches.open(pages)).match(cacheOwnerPath);
  return record ? record.text() : null;
}

async function cachedPage(path) {
  const found = await (await caches.open(pages)).match(path, { ignoreVary: true });
  if (!found || !isOfApp(found) || found.headers.get(personHeader) !== (await cacheOwner()))
    return null;
  // The page must know: newer words than its own may be on the device.
  const html = (await found.text()).replace("<html ", '<html data-kept="" ');
  return new Response(html, { headers: found.headers });
}

// Only what is shown now is kept: whoever is told by the app that there is no such document has it
// no longer. Where one is led away it is kept: the app leads only to its door, where a session has
// ended, and others lead to doors of their own.
async function cachePage(path, answer) {
  if (!isOfApp(answer) || answer.redirected) return;
  const cache = await caches.open(pages);
  if ([401, 403, 404, 410].includes(answer.status)) await cache.delete(path);
  if (answer.status !== 200 || !answer.headers.get("content-type")?.startsWith("text/html")) return;
  const person = await cacheOwner();
  if (person === null) return;
  // Somebody else is signed in: what is kept is not theirs, and they say who they are before anything of theirs is.
  if (answer.headers.get(personHeader) !== person) return void (await caches.delete(pages));
  const html = await answer.text();
  if (!/<\/html>\s*$/.test(html)) return;
  // Whoever has signed out meanwhile keeps nothing.
  if ((await cacheOwner()) !== person) return;
  await cache.put(path, new Response(html, { headers: ownHeaders(answer) }));
  // A page that was come to by a link has asked for other parts than one that is loaded anew.
  try {
    await cacheCode(codeIn(html));
  } finally {
    await prune(pages, mostPages);
    await prune(code, mostCode);
  }
}

/** The oldest go first. */
async function prune(name, most) {
  const cache = await caches.open(name);
  const keys = (await cache.keys()).filter(({ url }) => new URL(url).pathname !== cacheOwnerPath);
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}
