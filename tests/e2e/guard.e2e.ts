import { randomInt, randomUUID } from 'node:crypto'
import type { Browser, Request } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as Y from 'yjs'
import { launchBrowser } from '../support/browser'
import { newDocument, type Person, person, saved, shownId, text } from './support/person'

let browser: Browser
let ana: Person

beforeAll(async () => {
  browser = await launchBrowser()
  ana = await person(browser, 'Ana')
})

afterAll(() => browser.close())

/** Pastes into the focused text what another program would have put on the clipboard. */
const paste = (who: Person, kind: 'text/plain' | 'text/html', content: string) =>
  text(who.page).evaluate(
    (element, [type, data]) => {
      const clipboardData = new DataTransfer()
      clipboardData.setData(type, data)
      element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
    },
    [kind, content] as const,
  )

/** Appends to the shown document as Ana, by a program of hers that is not this editor. */
async function appendEdit(who: Person, write: (fragment: Y.XmlFragment) => void, schema: number) {
  const asked = who.page.waitForRequest((request: Request) => request.url().includes('/rpc/'))
  await who.page.reload()
  const { apikey, authorization } = await (await asked).allHeaders()
  const doc = new Y.Doc()
  doc.clientID = randomInt(1, 2 ** 31)
  write(doc.getXmlFragment('default'))
  const answer = await who.page.request.post('/rest/v1/rpc/append_events', {
    headers: { apikey: apikey ?? '', authorization: authorization ?? '' },
    data: {
      stream: shownId(who.page),
      expected_version: null,
      events: [
        {
          id: randomUUID(),
          type: 'document.edited',
          body: '{}',
          schema,
          clientIds: [doc.clientID],
          update: Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64'),
        },
      ],
    },
  })
  expect(answer.status(), await answer.text()).toBe(200)
}

describe('what comes from elsewhere', () => {
  it('[EDIT-6] a paste above two megabytes is refused with a sentence, and the text stays', async () => {
    await newDocument(ana, 'Pasted')
    await text(ana.page).click()
    await ana.page.keyboard.type('Stays. ')
    await paste(ana, 'text/plain', 'word '.repeat(450_000))
    await ana.page.getByText(/2 MB/).first().waitFor()
    expect((await text(ana.page).innerText()).trim()).toBe('Stays.')
  })

  it('[EDIT-1] pasted markup runs nothing and brings no dangerous address', async () => {
    await newDocument(ana, 'Hostile')
    await text(ana.page).click()
    await paste(
      ana,
      'text/html',
      `<p>Before <img src=x onerror="window.pwned=1"><svg onload="window.pwned=1"></svg><a href="javascript:window.pwned=1">a link</a>
       <a href="JaVa\tScript:window.pwned=1">another</a> <a href="https://example.com/">a good one</a><script>window.pwned=1</script> after</p>`,
    )
    await saved(ana.page)
    await expect.poll(() => text(ana.page).innerText()).toContain('a good one')
    const links = await text(ana.page).locator('a').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['https://example.com/'])
    expect(await ana.page.evaluate(() => 'pwned' in window)).toBe(false)
    await ana.page.reload()
    await expect.poll(() => text(ana.page).innerText()).toContain('a good one')
    expect(await ana.page.evaluate(() => 'pwned' in window)).toBe(false)
  })

  it('[EDIT-1] an address that another program wrote into the log is shown as words', async () => {
    await newDocument(ana, 'By another program')
    await appendEdit(
      ana,
      (fragment) => {
        const paragraph = new Y.XmlElement('paragraph')
        const words = new Y.XmlText()
        words.insert(0, 'click me', { link: { href: 'javascript:window.pwned=1' } })
        paragraph.insert(0, [words])
        fragment.insert(0, [paragraph])
      },
      1,
    )
    await ana.page.reload()
    await expect.poll(() => text(ana.page).innerText()).toContain('click me')
    expect(await ana.page.locator('a[href^="javascript" i]').count()).toBe(0)
    expect(await ana.page.content()).not.toContain('href="javascript')
  })

  it('[EDIT-5] a text of a newer version is read and not written, and nothing of it is lost', async () => {
    await newDocument(ana, 'From the future')
    await appendEdit(
      ana,
      (fragment) => {
        const paragraph = new Y.XmlElement('paragraph')
        paragraph.insert(0, [new Y.XmlText('Plain words.')])
        fragment.insert(0, [paragraph, new Y.XmlElement('hologram')])
      },
      99,
    )
    await ana.page.reload()
    await ana.page.getByText(/newer block type/).waitFor()
    await expect.poll(() => ana.page.getByRole('main').innerText()).toContain('Plain words.')
    expect(await ana.page.locator('[contenteditable=true][aria-label="Document text"]').count()).toBe(0)
  })
})
