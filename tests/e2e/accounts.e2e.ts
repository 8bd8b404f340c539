import AxeBuilder from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../support/browser'
import { startStack, type Stack } from '../support/stack'

const password = 'a good long sentence'
const other = 'another long sentence'

let stack: Stack
let browser: Browser
let count = 0

beforeAll(async () => {
  stack = await startStack()
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await stack?.dispose()
})

/** A browser of one person, which fails the test when a page breaks a rule of its own policy. */
async function newBrowser(options: Parameters<Browser['newContext']>[0] = {}): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({ baseURL: stack.url, ...options })
  const page = await context.newPage()
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) throw new Error(message.text())
  })
  return { context, page }
}

async function signUp(page: Page, name: string): Promise<string> {
  count += 1
  const email = `${name.toLowerCase()}.${process.pid}.${count}@example.com`
  await page.goto('/sign-up?next=/account')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
  return email
}

async function signIn(page: Page, email: string, secret: string): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

/** What the session cookie of a browser holds. */
async function sessionOf(context: BrowserContext): Promise<{ access_token?: string }> {
  const cookie = (await context.cookies()).find(({ name }) => name === 'palimpsest-auth')
  return JSON.parse(Buffer.from((cookie?.value ?? '').replace('base64-', ''), 'base64url').toString())
}

async function accessToken(context: BrowserContext): Promise<string> {
  return (await sessionOf(context)).access_token ?? ''
}

/** How the authentication service answers a token: 403 when its session has been ended. */
async function userStatus(token: string): Promise<number> {
  const headers = { apikey: stack.keys.publishableKey, authorization: `Bearer ${token}` }
  return (await fetch(`${stack.url}/auth/v1/user`, { headers })).status
}

/** The sign-in history as the account page shows it, newest first, once it begins with `latest`. */
async function history(page: Page, latest: string): Promise<string[]> {
  const read = async () => {
    await page.goto('/account')
    return page.getByRole('list', { name: 'Sign-in history' }).locator('li > span:first-child').allInnerTexts()
  }
  await expect.poll(async () => (await read())[0], { timeout: 10_000 }).toBe(latest)
  return read()
}

describe('the way in', () => {
  test('a stranger is led to the door and, once in, to where they wanted to go', async () => {
    const { context, page } = await newBrowser()
    await page.goto('/account')
    await page.waitForURL('**/sign-in?next=%2Faccount')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.waitForURL('**/sign-up?next=%2Faccount')
    await context.close()
  })

  test('[ACC-9] the door never leads off the site', async () => {
    const { context, page } = await newBrowser()
    await signUp(page, 'Ana')
    for (const next of ['//evil.example', '/\\evil.example', 'https://evil.example', '/%09/evil.example', 'javascript:alert(1)']) {
      const answer = await context.request.get(`/sign-in?next=${encodeURIComponent(next)}`, { maxRedirects: 0 })
      expect(answer.status()).toBe(307)
      expect(new URL(answer.headers()['location'] ?? '', stack.url).origin).toBe(new URL(stack.url).origin)
    }
    await context.close()
  })

  test('what is missing or wrong is said at its field, and what was typed stays', async () => {
    const { context, page } = await newBrowser()
    await page.goto('/sign-up')
    await page.getByLabel('Name').fill('Ana')
    await page.getByLabel('Email').fill('ana@harbour')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('This address has no ending').waitFor()
    await page.getByText('Use at least 8 characters.').waitFor()
    expect(await page.getByLabel('Name').inputValue()).toBe('Ana')
    expect(await page.getByLabel('Email').inputValue()).toBe('ana@harbour')
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('email')
    await context.close()
  })

  test('[ACC-8] an address without an account gets the same answers and no mail', async () => {
    const { context, page } = await newBrowser()
    await page.goto('/forgot-password')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText('If nobody@example.com has an account').waitFor()
    await page.goto('/sign-in')
    await page.getByLabel('Email').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await page.getByText('If nobody@example.com has an account').waitFor()
    const mails = await context.request.get('/mail/messages.json?to=nobody@example.com')
    expect(await mails.json()).toEqual([])
    await context.close()
  })
})

describe('mail', () => {
  test('[ACC-12] [ACC-13] a recovery mail, fetched by a scanner before, sets a new password; the old one and the other device are out', async () => {
    const { context, page } = await newBrowser()
    const email = await signUp(page, 'Ben')
    const device = await newBrowser()
    await device.page.goto('/sign-in?next=/account')
    await signIn(device.page, email, password)
    await device.page.getByRole('heading', { name: 'Account', exact: true }).waitFor()
    const token = await accessToken(device.context)
    await device.page.close()
    expect(await userStatus(token)).toBe(200)
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByRole('link', { name: 'Forgot password?' }).click()
    await page.waitForURL('**/forgot-password')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText('is on its way').waitFor()
    const [mail] = await stack.mails(email, /password/i)
    const link = new URL(/https?:[^\s)]+/.exec(mail?.text ?? '')?.[0] ?? stack.url)
    await fetch(stack.url + link.pathname + link.search)
    await page.goto('/mail')
    await page.getByRole('button', { name: new RegExp(email) }).first().click()
    await page.getByRole('article').getByRole('link').first().click()
    await page.getByLabel('New password').fill(other)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.waitForURL((url) => url.pathname !== '/reset-password')
    const said = await history(page, 'Password changed')
    expect(said.slice(0, 4)).toEqual(['Password changed', 'Recovery link used', 'Signed in', 'Signed out'])
    expect(await userStatus(token)).toBe(403)
    await device.context.close()

    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.waitForURL('**/sign-in')
    await signIn(page, email, password)
    await page.getByText('don’t belong together').waitFor()
    await signIn(page, email, other)
    await page.waitForURL((url) => url.pathname !== '/sign-in')
    await context.close()
  })

  test('an emailed code signs in, and its link works once', async () => {
    const { context, page } = await newBrowser()
    const email = await signUp(page, 'Carol')
    await page.getByRole('button', { name: 'Sign out here' }).click()
    await page.waitForURL('**/sign-in')
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a sign-in link' }).click()
    await page.getByLabel('Code').waitFor()
    const [mail] = await stack.mails(email, /sign-in/i)
    const code = /\b\d{6}\b/.exec(mail?.text ?? '')?.[0] ?? ''
    await page.getByLabel('Code').fill(code)
    await page.getByRole('button', { name: 'Sign in with code' }).click()
    await page.waitForURL((url) => url.pathname !== '/sign-in')

    const link = new URL(/https?:[^\s)]+/.exec(mail?.text ?? '')?.[0] ?? stack.url)
    const stranger = await newBrowser()
    await stranger.page.goto(link.pathname + link.search)
    await stranger.page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor()
    await stranger.context.close()
    await context.close()
  })
})

describe('sessions', () => {
  test('[ACC-2] two tabs state each moment once', async () => {
    const { context, page } = await newBrowser()
    const email = await signUp(page, 'Ana')
    const second = await context.newPage()
    await second.goto('/account')
    await page.bringToFront()
    await second.bringToFront()
    await second.getByRole('button', { name: 'Sign out here' }).click()
    await second.waitForURL('**/sign-in')
    await signIn(second, email, password)
    await second.waitForURL((url) => url.pathname !== '/sign-in')
    const said = await history(second, 'Signed in')
    expect(said).toEqual(['Signed in', 'Signed out', 'Signed in', 'Account created'])
    await context.close()
  })

  test('[ACC-5] a session that ends asks to sign in in place, and the page keeps what was typed', async () => {
    const { context, page } = await newBrowser()
    await signUp(page, 'Ana')
    await page.getByLabel('Name').fill('Typed, not yet saved')
    const second = await context.newPage()
    await second.goto('/account')
    await second.getByRole('button', { name: 'Sign out here' }).click()
    await second.waitForURL('**/sign-in')
    const dialog = page.getByRole('dialog', { name: 'Sign in to continue' })
    await dialog.getByLabel('Password', { exact: true }).fill('wrong')
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.getByText('don’t belong together').waitFor()
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Sign in', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Typed, not yet saved')
    await page.getByRole('button', { name: 'Save profile' }).click()
    await page.getByText('Others see it at once').first().waitFor()
    await context.close()
  })

  test('[ACC-5] another person signing in over an open page is told whose page it is', async () => {
    const { context, page } = await newBrowser()
    const ana = await signUp(page, 'Ana')
    const stranger = await newBrowser()
    const ben = await signUp(stranger.page, 'Ben')
    await stranger.context.close()
    const second = await context.newPage()
    await second.goto('/account')
    await second.getByRole('button', { name: 'Sign out here' }).click()
    await second.waitForURL('**/sign-in')
    await signIn(second, ben, password)
    await second.waitForURL((url) => url.pathname !== '/sign-in')
    const dialog = page.getByRole('dialog', { name: `You’re signed in as ${ben}` })
    await dialog.getByText(ana).waitFor()
    await context.close()
  })

  test('[ACC-10] an expired session is renewed by the proxy, in an answer that nobody may keep', async () => {
    const { context, page } = await newBrowser()
    await signUp(page, 'Ana')
    await page.close()
    const session = await sessionOf(context)
    const stale = Buffer.from(JSON.stringify({ ...session, expires_at: 1 })).toString('base64url')
    const answer = await fetch(`${stack.url}/account`, { headers: { cookie: `palimpsest-auth=base64-${stale}` }, redirect: 'manual' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('set-cookie')).toContain('palimpsest-auth')
    expect(answer.headers.get('cache-control')).toMatch(/private/)
    expect(answer.headers.get('cache-control')).toMatch(/no-store/)
    await context.close()
  })
})

describe.each(['light', 'dark'] as const)('in the %s theme', (colorScheme) => {
  test.each(['/sign-in', '/sign-up', '/forgot-password', '/reset-password', '/auth/confirm', '/mail', '/account', '/nowhere'])(
    '%s has no serious accessibility finding and fits 320 pixels',
    async (path) => {
      const { context, page } = await newBrowser({ colorScheme })
      if (path === '/account' || path === '/nowhere') await signUp(page, 'Ana')
      await page.goto(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const { violations } = await new AxeBuilder({ page }).analyze()
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
      expect(serious.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`)).toEqual([])
      await page.setViewportSize({ width: 320, height: 640 })
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      await context.close()
    },
  )
})
