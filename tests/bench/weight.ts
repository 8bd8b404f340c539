import { gzipSync } from 'node:zlib'
import type { Page } from 'playwright'
import { launchBrowser } from '../support/browser'
import { startStack } from '../support/stack'

/** A script that a page asked for, and its size as gzip sends it. */
type Script = { name: string; bytes: number }

const limits = { 'sign-in': 200, workspace: 200, document: 300 }

/** Loads a page into an empty cache and weighs the scripts it asked for until `ready` holds in it. */
async function weigh(page: Page, path: string, ready: () => boolean): Promise<Script[]> {
  const asked: Promise<Script>[] = []
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  let counting = true
  page.on('response', (response) => {
    if (!counting || response.request().resourceType() !== 'script') return
    asked.push(response.body().then((body) => ({ name: new URL(response.url()).pathname, bytes: gzipSync(body, { level: 9 }).length })))
  })
  await page.goto(path, { waitUntil: 'commit' })
  await page.waitForFunction(ready)
  counting = false
  return Promise.all(asked)
}

function report(name: keyof typeof limits, scripts: Script[]): boolean {
  const total = scripts.reduce((sum, { bytes }) => sum + bytes, 0) / 1_000
  const fits = total <= limits[name]
  console.log(`${name}: ${total.toFixed(0)} KB gzipped in ${scripts.length} scripts, limit ${limits[name]} KB${fits ? '' : ' — OVER'}`)
  if (process.argv.includes('--scripts')) {
    for (const { name: script, bytes } of scripts.toSorted((one, other) => other.bytes - one.bytes)) console.log(`  ${(bytes / 1_000).toFixed(1).padStart(6)} ${script}`)
  }
  return fits
}

// `TEST_URL` names a product that is already running, for working on a single page.
const running = process.env.TEST_URL
const stack = running === undefined ? await startStack() : null
const browser = await launchBrowser()
try {
  const context = await browser.newContext({ baseURL: running ?? stack?.url ?? '' })
  const page = await context.newPage()
  await page.goto('/sign-up')
  await page.getByLabel('Name').fill('Ana')
  await page.getByLabel('Email').fill(`ana.${Date.now()}@example.com`)
  await page.getByLabel('Password').fill('a long enough passphrase')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(/\/w\/[0-9a-f-]{36}$/)
  const workspace = new URL(page.url()).pathname
  await page.getByRole('button', { name: 'New document' }).first().click()
  await page.waitForURL(/\/d\/[0-9a-f-]{36}/)
  await page.locator('#text[contenteditable=true]').waitFor()
  const document = new URL(page.url()).pathname
  // Signed out, as who sees this page is.
  const stranger = await browser.newContext({ baseURL: running ?? stack?.url ?? '' })
  // A page that is only read is ready once it has loaded and rested; one that is written, once it can be.
  const rested = () => performance.now() > performance.timing.loadEventEnd - performance.timing.navigationStart + 1_500 && window.document.readyState === 'complete'
  const writable = () => window.document.querySelector('#text[contenteditable="true"]') !== null
  const fits = [
    report('sign-in', await weigh(await stranger.newPage(), '/sign-in', rested)),
    report('workspace', await weigh(await context.newPage(), workspace, rested)),
    report('document', await weigh(await context.newPage(), document, writable)),
  ]
  process.exitCode = fits.every(Boolean) ? 0 : 1
} finally {
  await browser.close()
  await stack?.dispose()
}
