import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser
/** Of every request, the oldest first. */
const ids: string[] = []

const requests = 10_000
const rowHeight = 34

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
  for (let index = 0; index < requests; index += 20)
    await Promise.all(Array.from({ length: 20 }, async (_, ahead) => (await send(index + ahead)).arrayBuffer()))
  let cursor: string | null = ''
  while (cursor !== null) {
    const go = cursor === '' ? '' : `&cursor=${cursor}`
    const page = (await (await fetch(`${gateway.url}/v1/sessions/long/timeline?limit=2000${go}`)).json()) as {
      readonly data: readonly { readonly requestId: string }[]
      readonly next: string | null
    }
    ids.push(...page.data.map(({ requestId }) => requestId))
    cursor = page.next
  }
}, 600_000)

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

function send(index: number): Promise<Response> {
  return fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': 'long' },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: `request ${index}` }] }),
  })
}

/** The session's page, and which of its pages of requests were asked for. */
async function openSession(query = ''): Promise<{ page: Page; asked: string[]; problems: readonly string[] }> {
  const { page, problems } = await openPage(browser)
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/timeline')) asked.push(request.url())
  })
  await page.goto(`${gateway.url}/inspector/sessions/long${query}`)
  await page.locator(`[aria-rowcount="${requests}"]`).waitFor()
  return { page, asked, problems }
}

async function shows(page: Page, ordinal: number): Promise<void> {
  const row = page.locator(`.timeline-row[aria-rowindex="${ordinal}"]:not([aria-busy])`)
  await row.waitFor()
  expect(await row.getByRole('link').first().getAttribute('href')).toContain(ids[ordinal - 1] ?? 'nothing')
}

describe('ten thousand requests of one session', () => {
  test('are as long as they are from the first moment, and only what is in view is asked for', async () => {
    const { page, asked, problems } = await openSession()
    const list = page.locator('.timeline .virtual')
    await shows(page, 1)
    expect(await list.evaluate((element) => element.scrollHeight)).toBe(requests * rowHeight)
    for (const share of [0.5, 0.123, 0.987, 0.3333]) {
      const first = Math.floor(requests * share)
      await list.evaluate((element, top) => (element.scrollTop = top), first * rowHeight)
      await shows(page, first + 1)
      const top = await page.locator(`.timeline-row[aria-rowindex="${first + 1}"]`).evaluate((row) => {
        const box = row.closest('.virtual')?.getBoundingClientRect()
        return row.getBoundingClientRect().top - (box?.top ?? Number.NaN)
      })
      expect(Math.abs(top)).toBeLessThanOrEqual(1)
    }
    expect(await list.evaluate((element) => element.scrollHeight)).toBe(requests * rowHeight)
    expect(asked.length).toBeLessThanOrEqual(10)
    expect(await page.locator('.timeline-row').count()).toBeLessThan(60)
    const heap: number = await page.evaluate('performance.memory.usedJSHeapSize')
    expect(heap).toBeLessThan(40 * 1024 * 1024)
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('what is scrolled past is not asked for', async () => {
    const { page, asked } = await openSession()
    await shows(page, 1)
    await page.route('**/timeline*', async (route) => {
      await new Promise((done) => setTimeout(done, 1000))
      await route.continue()
    })
    await page.locator('.timeline .virtual').evaluate(async (element) => {
      for (let top = 0; top < element.scrollHeight; top += 6800) {
        element.scrollTop = top
        await new Promise((done) => requestAnimationFrame(done))
      }
      element.scrollTop = element.scrollHeight
    })
    await shows(page, requests)
    expect(asked.length).toBeLessThan(25)
    await page.context().close()
  })

  test('the keyboard goes to the end and opens what is there, however soon it is pressed', async () => {
    const { page } = await openSession()
    await page.getByRole('table', { name: 'Requests' }).focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    await page.locator(`h1[title="${ids.at(-1)}"]`).waitFor()
    expect(page.url()).toContain(ids.at(-1))
    await page.goBack()
    await shows(page, requests)
    await page.getByRole('table', { name: 'Requests' }).focus()
    await page.keyboard.press('PageUp')
    await page.locator(`.timeline-row[aria-selected=true][aria-rowindex="${requests - 15}"]`).waitFor()
    await page.keyboard.press('Home')
    await shows(page, 1)
    await page.context().close()
  })

  test('a link to a request in the middle shows it there, and a search for it leads to the same', async () => {
    const { page } = await openSession('?row=7321')
    await shows(page, 7321)
    const id = ids[7320] ?? ''
    expect(await page.locator('.timeline-row[aria-selected=true]').getAttribute('aria-rowindex')).toBe('7321')
    await page.keyboard.press('/')
    await page.keyboard.type(id)
    await page.keyboard.press('Enter')
    await page.getByTitle(id).first().click()
    await page.locator(`h1[title="${id}"]`).waitFor()
    await page.context().close()
  })

  test('one more is one row more at the end, and nothing else moves', async () => {
    const { page } = await openSession('?row=5000')
    await shows(page, 5000)
    const list = page.locator('.timeline .virtual')
    const before = await list.evaluate((element) => element.scrollTop)
    // The stream of events is open by now.
    await page.waitForTimeout(500)
    const response = await send(requests)
    await response.arrayBuffer()
    await page.locator(`[aria-rowcount="${requests + 1}"]`).waitFor()
    expect(await list.evaluate((element) => element.scrollTop)).toBe(before)
    await shows(page, 5000)
    ids.push(response.headers.get('x-prehend-request-id') ?? '')
    await page.getByRole('table', { name: 'Requests' }).focus()
    await page.keyboard.press('End')
    await shows(page, requests + 1)
    await page.context().close()
  })
})
