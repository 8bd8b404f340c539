import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser'
import { startStack, type Stack } from '../support/stack'

/** How far the log has answered that it holds each stream, as the page has heard it. */
function hearAppends(page: Page): Map<string, number> {
  const newest = new Map<string, number>()
  page.on('response', async (response) => {
    if (!response.url().endsWith('/rpc/append_events') || !response.ok()) return
    const { stream }: { stream: string } = response.request().postDataJSON()
    const rulings: { version: number }[] = await response.json()
    newest.set(stream, Math.max(newest.get(stream) ?? 0, ...rulings.map(({ version }) => version)))
  })
  return newest
}

/** The newest version of a stream that the page's browser has written down as seen. */
const rememberedIn = (page: Page, stream: string) =>
  page.evaluate(
    (wanted) =>
      new Promise<number>((settle, reject) => {
        const opening = indexedDB.open('palimpsest-heads')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const found = opening.result.transaction('heads').objectStore('heads').get(wanted)
          found.onerror = () => reject(found.error)
          found.onsuccess = () => {
            opening.result.close()
            settle(found.result?.version ?? 0)
          }
        }
      }),
    stream,
  )

/** Copies a stopped data folder as one keeps a backup: with its owners. */
async function copy(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await promisify(execFile)('cp', ['-a', `${from}/.`, to])
}

describe('an older backup that was put back', () => {
  let stack: Stack
  let browser: Browser
  let page: Page
  let backup: string

  beforeAll(async () => {
    stack = await startStack({ env: { DEMO: '0' } })
    browser = await launchBrowser()
    backup = await mkdtemp(join(tmpdir(), 'palimpsest-backup-'))
    page = await browser.newPage({ baseURL: stack.url, reducedMotion: 'reduce' })
  })
  afterAll(async () => {
    await browser?.close()
    await stack?.dispose()
    await rm(backup, { recursive: true, force: true })
  })

  const text = () => page.locator('[contenteditable="true"][aria-label="Document text"]')
  const saved = () => page.getByRole('status').filter({ hasText: 'Saved' }).first().waitFor()
  const write = async (words: string) => {
    await text().click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(words)
    await saved()
  }
  /** Opens the verification from the warning and answers what it says. */
  const verified = async () => {
    await page.getByRole('alert').getByRole('button', { name: 'Verify…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Verify history' })
    await dialog.getByRole('alert').waitFor()
    const said = await dialog.getByRole('alert').innerText()
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    return said
  }

  it('[HEADS-3] [HEADS-5] [VERIFY-4] [VERIFY-5] is noticed by who has seen more, explained, and noticed again where the history went on otherwise', async () => {
    const appended = hearAppends(page)
    await page.goto('/sign-up')
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Email').fill('ana@backups.example')
    await page.getByLabel('Password').fill('a long enough passphrase')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('button', { name: 'New document' }).first().click()
    await text().waitFor()
    await write('Before the backup.')
    const address = new URL(page.url()).pathname
    const document = address.replace('/d/', '')
    const kept = appended.get(document) ?? 0
    await page.goto('about:blank')
    await stack.stop()
    await copy(stack.dataDir, backup)
    await stack.restart()

    await page.goto(address)
    await write(' After it.')
    await page.keyboard.type(' And more.')
    await saved()
    // What was seen is written down a second later.
    await expect.poll(() => rememberedIn(page, document)).toBe(appended.get(document))
    expect(appended.get(document)).toBeGreaterThan(kept)
    await page.reload()
    await text().getByText('After it. And more.').waitFor()
    await page.goto('about:blank')
    await stack.stop()
    await rm(stack.dataDir, { recursive: true, force: true })
    await copy(backup, stack.dataDir)
    await stack.restart()

    await page.goto(address)
    const alarm = page.getByRole('alert').filter({ hasText: 'an older backup seems to have been put back' })
    await alarm.waitFor()
    expect(await verified()).toMatch(/The history ends before event \d+, which this browser has seen\.[^]*an older backup was put back/)
    // Who goes on writing makes another history of it.
    await write(' Another thing.')
    await page.reload()
    await page.getByRole('alert').filter({ hasText: 'When you were here' }).waitFor()
    expect(await verified()).toMatch(/(From event \d+ on, this is not the history that this browser has seen|The history ends before event \d+)/)
    await page.getByRole('button', { name: 'Accept it as it is' }).click()
    await page.getByRole('button', { name: 'Accept it as it is' }).waitFor({ state: 'detached' })
    await page.reload()
    await text().getByText('Another thing.').waitFor()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Verify history…' }).click()
    await page.getByRole('dialog').getByText('This history is as it was recorded.').waitFor()
  })
})
