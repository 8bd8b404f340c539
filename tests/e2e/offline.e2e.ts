import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../support/browser'
import { newDocument, type Person, person, saved, saveStatus, text } from './support/person'

let browser: Browser
let ana: Person
let path: string

beforeAll(async () => {
  browser = await launchBrowser()
  ana = await person(browser, 'Ana')
  path = await newDocument(ana, 'Tide table')
})

afterAll(() => browser.close())

describe('a connection that breaks', () => {
  it('[OFFLINE-1] says Offline, keeps what is typed, and saves it when the connection returns', async () => {
    await text(ana.page).click()
    await ana.page.keyboard.type('High water at six. ')
    await saved(ana.page)
    await ana.context.setOffline(true)
    await ana.page.keyboard.type('Written without a net. ')
    await saveStatus(ana.page).filter({ hasText: 'Offline' }).waitFor({ timeout: 40_000 })
    expect(await text(ana.page).innerText()).toContain('Written without a net.')
    await ana.context.setOffline(false)
    await saved(ana.page)
    const other = await ana.context.newPage()
    await other.goto(path)
    await expect.poll(() => text(other).innerText()).toContain('Written without a net.')
    await other.close()
  })

  it('[OFFLINE-2] keeps unsent edits over a reload', async () => {
    await ana.context.setOffline(false)
    await ana.context.route('**/rest/v1/rpc/append_events*', (route) => route.abort())
    await text(ana.page).click()
    await ana.page.keyboard.press('Control+End')
    await ana.page.keyboard.type('Typed before the crash. ')
    await expect.poll(() => saveStatus(ana.page).innerText()).not.toContain('Saved')
    await ana.page.reload()
    await expect.poll(() => text(ana.page).innerText()).toContain('Typed before the crash.')
    await ana.context.unroute('**/rest/v1/rpc/append_events*')
    await saved(ana.page)
    const fresh = await ana.context.newPage()
    await fresh.goto(path)
    await expect.poll(() => text(fresh).innerText()).toContain('Typed before the crash.')
    expect((await text(fresh).innerText()).split('Typed before the crash.')).toHaveLength(2)
    await fresh.close()
  })

  it('[OFFLINE-3] asks to sign in again in place when the session ends, and saves what was typed', async () => {
    await ana.context.clearCookies()
    await text(ana.page).click()
    await ana.page.keyboard.press('Control+End')
    await ana.page.keyboard.type('Written while signed out. ')
    const dialog = ana.page.getByRole('dialog')
    await dialog.getByLabel('Password', { exact: true }).fill(ana.password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await saved(ana.page)
    const fresh = await ana.context.newPage()
    await fresh.goto(path)
    await expect.poll(() => text(fresh).innerText()).toContain('Written while signed out.')
    await fresh.close()
  })
})
