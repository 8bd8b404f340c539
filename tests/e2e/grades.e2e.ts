import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser'
import { choose, inviteByLink, newDocument, type Person, person, saved, shownId, text } from './support/person'

let browser: Browser
let ana: Person
let carol: Person
let workspace: string
let path: string

beforeAll(async () => {
  browser = await launchBrowser()
  ;[ana, carol] = await Promise.all([person(browser, 'Ana'), person(browser, 'Carol')])
  workspace = shownId(ana.page)
  path = await newDocument(ana, 'Ruling')
  await text(ana.page).click()
  await ana.page.keyboard.type('It is decided. ')
  await saved(ana.page)
  await inviteByLink(ana, carol, workspace, 'can read')
})
afterAll(() => browser.close())

const shown = (who: Person) => who.page.getByLabel('Document text')
const history = (who: Person) => who.page.getByRole('button', { name: 'History' })

describe('a reader who is graded to named versions', () => {
  it('[GRADE-1] [GRADE-3] loses the history of an open document at once, and keeps its text', async () => {
    await carol.page.goto(path)
    await history(carol).waitFor()
    await ana.page.goto(`/w/${workspace}/members`)
    await choose(ana.page, ana.page.getByRole('combobox', { name: 'History for who can read' }), 'see named versions')
    await expect.poll(() => history(carol).count(), { timeout: 5_000 }).toBe(0)
    await expect.poll(() => shown(carol).innerText()).toContain('It is decided.')
    await expect.poll(() => carol.page.locator('main').innerText()).toContain('You see the present text and named versions')
  })

  it('[GRADE-1] has no segments made or sent, and neither has a stranger', async () => {
    const mallory = await person(browser, 'Mallory')
    const answers = await Promise.all([ana, carol, mallory].map((who) => who.page.request.get(`${path}/segments`)))
    expect(answers.map((answer) => answer.status())).toEqual([200, 404, 404])
    await mallory.context.close()
  })

  it('[GRADE-1] is shown the present as it changes, and finds no history at its address', async () => {
    await carol.page.goto(`${path}?at=2`)
    await shown(carol).waitFor()
    expect(await carol.page.getByRole('slider', { name: 'Moment' }).count()).toBe(0)
    await carol.page.goto(path)
    await ana.page.goto(path)
    await text(ana.page).click()
    await ana.page.keyboard.press('ControlOrMeta+End')
    await ana.page.keyboard.type('Finally.')
    await saved(ana.page)
    await expect.poll(() => shown(carol).innerText(), { timeout: 15_000 }).toContain('Finally.')
  })

  it('[GRADE-3] has it back when the grade is raised', async () => {
    await ana.page.goto(`/w/${workspace}/members`)
    await choose(ana.page, ana.page.getByRole('combobox', { name: 'History for who can read' }), 'see everything')
    await history(carol).waitFor()
    await ana.page.goto(path)
  })
})

describe('a redaction', () => {
  const redact = (who: Person, version: number) => who.page.request.post(`${path}/redact`, { data: { id: randomUUID(), version, reason: 'A test' } })

  it('[REDACT-6] is refused to a reader', async () => {
    expect((await redact(carol, 2)).status()).toBe(403)
  })

  it('[REDACT-6] begins in the history, where an owner sees which words will go', async () => {
    await ana.page.goto(`${path}?at=1`)
    const slider = ana.page.getByRole('slider', { name: 'Moment' })
    await slider.waitFor()
    await slider.press('End')
    await ana.page.getByRole('button', { name: 'More' }).last().click()
    await ana.page.getByRole('menuitem', { name: 'Redact this edit…' }).click()
    const dialog = ana.page.getByRole('dialog', { name: 'Redact this edit' })
    await dialog.getByRole('button', { name: 'Redact for good' }).waitFor()
    expect('It is decided. Finally.').toContain((await dialog.locator('blockquote').innerText()).trim())
    await dialog.getByLabel('Reason').fill('A name')
    const loaded = ana.page.waitForEvent('load')
    await dialog.getByRole('button', { name: 'Redact for good' }).click()
    await loaded
    await expect.poll(() => ana.page.locator('main').innerText()).not.toContain('Finally.')
    await ana.page.goto(path)
  })

  it('[REDACT-1] [REDACT-4] takes the words out of every open page and of what is read afterwards', async () => {
    const answers: number[] = []
    // What follows the writing is what this loop adds, and no redaction can be redacted.
    for (let version = 2; answers.at(-1) !== 409; version += 1) answers.push((await redact(ana, version)).status())
    expect(answers.filter((status) => status === 200).length).toBeGreaterThan(1)
    for (const who of [ana, carol]) await expect.poll(() => shown(who).innerText(), { timeout: 15_000 }).not.toMatch(/decided|Finally/)
    await carol.page.reload()
    await expect.poll(() => shown(carol).innerText()).not.toMatch(/decided|Finally/)
  })
})
