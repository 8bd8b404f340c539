// Keeps the documents that were opened on this device, and the code of their pages, for when there is no network. It
// answers nothing that the network can: a page comes from here only where the server could not be reached at all.
const pages = 'pages'
const code = 'code'
const mostPages = 60
const mostCode = 600

// A named version has the address of its document and is not what stands there.
const isDocument = (url) => url.origin === location.origin && /^\/d\/[0-9a-f-]{36}$/.test(url.pathname) && !url.searchParams.has('version')
const isCode = (url) => url.origin === location.origin && url.pathname.startsWith('/_next/static/')

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const url = new URL(request.url)
  if (request.method !== 'GET') return
  if (isCode(url)) event.respondWith(codeOf(request))
  else if (request.mode === 'navigate' && isDocument(url)) event.respondWith(pageOf(event, url.pathname))
})

// A page that was loaded before this worker ran says what it was made of.
self.addEventListener('message', (event) => {
  const { page, parts } = event.data
  const url = new URL(page, location.origin)
  event.waitUntil(
    Promise.all([
      keepCode(parts),
      isDocument(url) ? fetch(url.pathname, { headers: { accept: 'text/html' } }).then((answer) => keepPage(url.pathname, answer)) : null,
    ]).catch(() => undefined),
  )
})

/** What was looked through for more in the life of this worker. */
const seen = new Set()

// The name of such a file changes with what is in it, so a kept one is never old.
async function codeOf(request) {
  const kept = await caches.open(code)
  const found = await kept.match(request, { ignoreVary: true })
  if (found) return found
  const answer = await fetch(request)
  if (answer.ok) await kept.put(request, answer.clone())
  return answer
}

// Everything that these parts of a page can ask for, one after another: loaded anew, a page is made of other parts than
// one that was come to by a link. A part that cannot be had now is had when the page asks for it.
async function keepCode(parts) {
  const waiting = parts.map((part) => new URL(part, location.origin)).filter(isCode).map((url) => url.pathname)
  const tried = new Set()
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || tried.has(path)) continue
    tried.add(path)
    const answer = await codeOf(new Request(path)).catch(() => null)
    if (!answer?.ok) continue
    seen.add(path)
    if (!path.endsWith('.js') || self.navigator.connection?.saveData) continue
    for (const [part] of (await answer.text()).matchAll(/static\/chunks\/[\w.~-]+\.(?:js|css)/g)) waiting.push(`/_next/${part}`)
  }
}

async function pageOf(event, path) {
  try {
    const answer = await fetch(event.request)
    event.waitUntil(keepPage(path, answer.clone()))
    // What stands before a server answers so for one that it cannot reach.
    return ([502, 503, 504].includes(answer.status) && (await keptPage(path))) || answer
  } catch (fault) {
    const found = await keptPage(path)
    if (!found) throw fault
    return found
  }
}

async function keptPage(path) {
  const found = await (await caches.open(pages)).match(path, { ignoreVary: true })
  if (!found) return null
  // The page must know: newer words than its own may be on the device.
  const html = (await found.text()).replace('<html ', '<html data-kept="" ')
  return new Response(html, { headers: found.headers })
}

// Only what is shown now is kept: whoever is led away from a document, or told that there is none, has it no longer.
async function keepPage(path, answer) {
  const kept = await caches.open(pages)
  if (!answer.ok || answer.redirected || !answer.headers.get('content-type')?.startsWith('text/html')) {
    if (answer.type === 'opaqueredirect' || answer.redirected || [401, 403, 404, 410].includes(answer.status)) await kept.delete(path)
    return
  }
  const headers = new Headers(answer.headers)
  for (const name of ['content-encoding', 'content-length', 'set-cookie']) headers.delete(name)
  const html = await answer.text()
  await kept.put(path, new Response(html, { headers }))
  // A page that was come to by a link has asked for other parts than one that is loaded anew.
  await keepCode(html.match(/\/_next\/static\/[\w./~-]+\.(?:js|css|woff2)/g) ?? [])
  await prune(pages, mostPages)
  await prune(code, mostCode)
}

/** The oldest go first. */
async function prune(name, most) {
  const kept = await caches.open(name)
  const keys = await kept.keys()
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => kept.delete(key)))
}
