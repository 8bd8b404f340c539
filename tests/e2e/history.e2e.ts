import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser'
import { inviteByLink, newDocument, type Person, person, saved, shownId, text, titleBox, writable } from './support/person'

let browser: Browser
let ana: Person
let ben: Person
let path: string

beforeAll(async () => {
  browser = await launchBrowser()
  ana = await person(browser, 'Ana')
  ben = await person(browser, 'Ben')
  const workspace = shownId(ana.page)
  path = await newDocument(ana, 'First title')
  await text(ana.page).click()
  await ana.page.keyboard.type('First sentence. ')
  await saved(ana.page)
  await inviteByLink(ana, ben, workspace, 'can edit')
  await ben.page.goto(path)
  await writable(ben.page).click()
  await ben.page.keyboard.press('Control+End')
  await ben.page.keyboard.type('Second sentence.')
  await saved(ben.page)
  await titleBox(ana.page).fill('Second title')
  await titleBox(ana.page).press('Enter')
  await text(ana.page).getByText('Second sentence.').waitFor()
})

afterAll(() => browser.close())

const moment = (who: Person) => who.page.getByRole('slider', { name: 'Moment' })
const past = (who: Person) => who.page.getByRole('region', { name: 'Document at this moment' })

describe('the history of a document', () => {
  it('[HISTORY-1] opens on the document’s own page and says where in time it stands', async () => {
    await ana.page.getByRole('button', { name: 'History' }).click()
    await ana.page.waitForURL(/[?&]at=\d+/)
    await moment(ana).waitFor()
    expect(await moment(ana).getAttribute('aria-valuetext')).toMatch(/\d\d:\d\d:\d\d, (Ana|Ben), edit [\d\s]+ of [\d\s]+/)
    await expect.poll(() => past(ana).innerText()).toContain('Second sentence.')
  })

  it('[HISTORY-2] goes back to the beginning and forward again by keyboard', async () => {
    await moment(ana).focus()
    await ana.page.keyboard.press('Home')
    await expect.poll(() => past(ana).innerText()).not.toContain('sentence')
    await ana.page.keyboard.press('End')
    await expect.poll(() => past(ana).innerText()).toContain('First sentence. Second sentence.')
  })

  it('[HISTORY-3] shows the title as it was', async () => {
    await moment(ana).focus()
    await ana.page.keyboard.press('Home')
    await expect.poll(() => ana.page.getByRole('main').innerText()).not.toContain('Second title')
  })

  it('[HISTORY-4] plays to the end and stops there', async () => {
    await moment(ana).focus()
    await ana.page.keyboard.press('Home')
    await ana.page.getByRole('button', { name: 'Play' }).click()
    await ana.page.getByRole('button', { name: 'Pause' }).waitFor()
    await expect.poll(() => past(ana).innerText(), { timeout: 40_000 }).toContain('Second sentence.')
  })

  it('[HISTORY-5] is not disturbed by live edits, and counts them', async () => {
    await moment(ana).focus()
    await ana.page.keyboard.press('Home')
    await text(ben.page).click()
    await ben.page.keyboard.press('Control+End')
    await ben.page.keyboard.type(' Third.')
    await saved(ben.page)
    await expect.poll(() => ana.page.getByRole('button', { name: /^Back to live/ }).innerText()).toMatch(/\d+ new/)
    expect(await past(ana).innerText()).not.toContain('Third.')
    await ana.page.getByRole('button', { name: /^Back to live/ }).click()
    await expect.poll(() => text(ana.page).innerText()).toContain('Third.')
  })

  it('[HISTORY-6] restores a moment by adding to the log, for everyone, and loses nothing', async () => {
    await ana.page.getByRole('button', { name: 'History' }).click()
    await moment(ana).waitFor()
    await moment(ana).focus()
    await ana.page.keyboard.press('End')
    for (let step = 0; step < 60 && (await past(ana).innerText()).includes('Third.'); step++) await ana.page.keyboard.press(',')
    const wanted = (await past(ana).innerText()).trim()
    expect(wanted).not.toContain('Third.')
    await ana.page.getByRole('button', { name: 'Restore this moment' }).click()
    await ana.page.getByRole('dialog').or(ana.page.getByRole('alertdialog')).getByRole('button', { name: /restore/i }).click()
    await expect.poll(() => text(ben.page).innerText()).not.toContain('Third.')
    await text(ana.page).waitFor()
    await ana.page.getByRole('button', { name: 'History' }).click()
    await moment(ana).focus()
    await ana.page.keyboard.press('End')
    await ana.page.keyboard.press(',')
    await expect.poll(() => past(ana).innerText()).toContain('Third.')
  })
})
