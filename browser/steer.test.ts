import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle } from './accessibility-rules.ts'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

const session = 'steered'

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(['--policy', 'thrifty']), openBrowser()])
  await exampleRun(gateway.url, { session, steps: 44 })
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

interface Decision {
  readonly itemId: string
  readonly name: string
  readonly rung: string
  readonly reason: string
}

async function newest(): Promise<string> {
  const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as { data: { requestId: string }[] }
  return data[0]?.requestId ?? ''
}

async function decisionsOf(request: string): Promise<readonly Decision[]> {
  const answer = await fetch(`${gateway.url}/v1/packs/${request}/decisions?limit=2000`)
  return ((await answer.json()) as { data: Decision[] }).data
}

async function open(
  path: string,
  width = 1280,
): Promise<{ readonly page: Page; readonly problems: readonly string[] }> {
  const opened = await openPage(browser, { viewport: { width, height: 900 } })
  await opened.page.goto(`${gateway.url}/inspector/${path}`)
  await settle(opened.page)
  return opened
}

test('an item that was shortened is pinned from the request page; the next request sends it whole and verifies', async () => {
  const id = await newest()
  const short = (await decisionsOf(id)).find(({ rung, itemId }) => rung === 'line' && itemId.startsWith('result'))
  if (short === undefined) throw new Error('nothing was shortened to a line')
  const { page, problems } = await open(`requests/${id}?show=shortened&item=${encodeURIComponent(short.itemId)}`)
  const entry = page.locator('.entry[aria-current]')
  await entry.getByRole('button', { name: /^Pin / }).focus()
  await page.keyboard.press('Enter')
  await entry.getByRole('button', { name: /^Pinned / }).waitFor()
  await exampleRun(gateway.url, { session, steps: 45, skipped: 44 })
  const next = await newest()
  const decision = (await decisionsOf(next)).find(({ itemId }) => itemId === short.itemId)
  expect(decision).toMatchObject({ rung: 'full', reason: 'pinned' })
  await page.goto(`${gateway.url}/inspector/requests/${next}`)
  await page.getByText('begin: a person has pinned what was shown shorter').waitFor()
  await page.getByRole('button', { name: 'Verify' }).click()
  await page.getByText('Verified: made again to the byte').waitFor()

  await page.goto(`${gateway.url}/inspector/sessions/${session}`)
  await page.getByRole('button', { name: `Unpin ${short.name}` }).click()
  await page.getByText('No item is pinned').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('a note is added to a session, reaches the next request, and is removed', async () => {
  const { page, problems } = await open(`sessions/${session}`, 400)
  await page.getByRole('textbox', { name: /^A note for the model/ }).fill('Never change the tests.')
  await page.getByRole('button', { name: 'Add the note' }).click()
  await page.getByRole('button', { name: 'Remove the note' }).waitFor()
  await exampleRun(gateway.url, { session, steps: 46, skipped: 45 })
  const bytes = (await (await fetch(`${gateway.url}/v1/packs/${await newest()}/bytes`)).json()) as Record<
    string,
    string
  >
  expect(bytes['sent']).toContain('Never change the tests.')
  expect(bytes['received']).not.toContain('Never change the tests.')
  await page.reload()
  await page.getByRole('button', { name: 'Remove the note' }).click()
  await page.getByRole('button', { name: 'Add the note' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('a verdict on a request stands in the list of its session', async () => {
  const { page } = await open(`requests/${await newest()}`)
  await page.getByRole('button', { name: 'Bad', exact: true }).click()
  await page.getByText('Recorded as bad.').waitFor()
  await page.goto(`${gateway.url}/inspector/sessions/${session}?row=46`)
  const chip = page.locator('.timeline-row[aria-selected=true] .chip', { hasText: 'bad' })
  await chip.waitFor()
  expect(await chip.count()).toBe(1)
  await page.context().close()
})

test('words of a result are found from any page, marked, and lead to the item in its request', async () => {
  const { page, problems } = await open('policies', 400)
  await page.keyboard.press('/')
  await page.keyboard.type('names a missing column')
  await page.keyboard.press('Enter')
  const hit = page.locator('.found li', { has: page.locator('mark', { hasText: 'missing' }) }).first()
  await hit.waitFor()
  const link = hit.getByRole('link').first()
  const name = (await link.textContent()) ?? ''
  const item = (await link.getAttribute('title')) ?? ''
  expect(name).not.toBe(item)
  await link.click()
  await page.locator('.entry[aria-current]').getByTitle(item, { exact: true }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('a word of the glossary is explained when it has the focus, and Escape hides that', async () => {
  const { page } = await open('')
  const word = page.getByRole('button', { name: 'Read anew' })
  await word.focus()
  const meaning = page.getByRole('tooltip').filter({ hasText: 'paid for in full again' })
  await meaning.waitFor()
  await page.keyboard.press('Escape')
  await meaning.waitFor({ state: 'hidden' })
  await word.hover()
  await meaning.waitFor()
  expect(await meaning.isVisible()).toBe(true)
  await page.context().close()
})

test('the overview asks once for each figure, shows the drift, and leads to what would change an item', async () => {
  const { page } = await openPage(browser)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${gateway.url}/inspector/`)
  await settle(page)
  const overTime = asked.filter((url) => url.includes('/v1/stats') && /by=(?:time|hour|day)/.test(url))
  expect(overTime).toHaveLength(1)
  expect(await page.locator('.drift li').count()).toBeGreaterThan(10)
  await page.getByRole('link', { name: 'with thrifty' }).first().click()
  await page.getByRole('heading', { name: 'Under another policy' }).waitFor()
  await page.context().close()
})

test('all recorded sessions are replayed at once; on a telephone the chart has both titles, and words of full size', async () => {
  const { page, problems } = await open('what-if', 400)
  await page.getByRole('button', { name: /^Choose all / }).click()
  await page.getByRole('checkbox', { name: /^careful\b/u }).check()
  await page.getByRole('checkbox', { name: /^thrifty\b/u }).check()
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByText('done', { exact: true }).waitFor({ timeout: 90_000 })
  await page.getByText(/^46 requests in 1 conversation\./).waitFor()
  const chart = page.locator('.scatter svg')
  const words = await chart.locator('text').evaluateAll((texts) =>
    texts.map((text) => {
      const [own, all] = [text.getBoundingClientRect(), text.closest('svg')!.getBoundingClientRect()]
      const isWithin = own.left >= all.left - 1 && own.right <= all.right + 1 && own.bottom <= all.bottom + 1
      return { text: text.textContent ?? '', size: getComputedStyle(text).fontSize, isWithin }
    }),
  )
  expect(words.filter(({ size, isWithin }) => size !== '12px' || !isWithin)).toEqual([])
  const said = words.map(({ text }) => text)
  expect(said).toContain('Whole bill, of sending everything')
  expect(said).toContain('Lines and edits kept, the lower')
  expect(await chart.evaluate((svg) => svg.getBoundingClientRect().right <= innerWidth)).toBe(true)
  expect(problems).toEqual([])
  await page.context().close()
})

test('no list or tab calls an item or a session by a hash or an id', async () => {
  const id = await newest()
  const { page } = await openPage(browser)
  for (const path of [
    'sessions',
    `sessions/${session}`,
    `requests/${id}`,
    `requests/${id}?tab=decisions`,
    `requests/${id}?tab=before`,
    `requests/${id}?tab=compare&policy=careful`,
    'search?q=csv',
  ]) {
    await page.goto(`${gateway.url}/inspector/${path}`)
    await settle(page)
    const labels = await page.locator('h1, h2, h3, a:not(:has(code)), strong').allInnerTexts()
    const hashes = labels.filter((label) => /^(?:result|assistant|user|call):|\breq_|\b[0-9a-f]{16,}\b/.test(label))
    expect({ path, hashes }).toEqual({ path, hashes: [] })
  }
  await page.context().close()
})
