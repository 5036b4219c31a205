import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(['--policy', 'thrifty']), openBrowser()])
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

test('a session that goes on is followed: its requests, their sums, and how each ended', async () => {
  await exampleRun(gateway.url, { session: 'followed', steps: 3 })
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/sessions/followed`)
  const table = page.getByRole('table', { name: 'Requests' })
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('3')
  // The stream of events is open by now.
  await page.waitForTimeout(500)
  await exampleRun(gateway.url, { session: 'followed', steps: 9 })
  await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('12')
  const answer = await fetch(`${gateway.url}/v1/sessions?session=followed`)
  const { data } = (await answer.json()) as { data: { cost: { usd: number; requests: number } }[] }
  const spent = page.locator('.figure', { hasText: 'Spent' }).locator('dd').first()
  const shown = async (): Promise<number> => Number(/\$([\d.]+)/.exec((await spent.textContent()) ?? '')?.[1])
  await expect.poll(shown).toBeCloseTo(data[0]?.cost.usd ?? -1, 4)
  expect(problems).toEqual([])
  await page.context().close()
})

test('the overview counts on while something happens all the time', async () => {
  const { page, problems } = await openPage(browser)
  const ending = new AbortController()
  const { signal } = ending
  const running = { isOver: false }
  const run = async (): Promise<void> => {
    await exampleRun(gateway.url, { session: 'busy', steps: 46, pauseMs: 500, signal })
    running.isOver = true
  }
  const end = run()
  await page.goto(`${gateway.url}/inspector/`)
  const requests = page
    .locator('.figure', { hasText: /Requests/ })
    .locator('dd')
    .first()
  const shown = async (): Promise<number> => Number.parseInt((await requests.textContent()) ?? '', 10)
  const first = await shown()
  await expect.poll(shown).toBeGreaterThan(first + 1)
  expect(running.isOver).toBe(false)
  ending.abort()
  await end
  expect(problems).toEqual([])
  await page.context().close()
})

test('all time is asked for without a beginning, once, and stands in the address', async () => {
  const { page } = await openPage(browser)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${gateway.url}/inspector/`)
  await page.getByRole('combobox', { name: 'Time' }).selectOption('All time')
  const overAllTime = (): readonly string[] =>
    asked.filter((url) => url.includes('/v1/stats') && !url.includes('since')).map((url) => new URL(url).search)
  await expect.poll(() => overAllTime().toSorted()).toEqual(['?by=model', '?by=policy', '?by=tenant', '?by=time'])
  await page.reload()
  expect(await page.getByRole('combobox', { name: 'Time' }).inputValue()).toBe('all')
  await page.context().close()
})

test('the tail holds few rows, however much happens, and says what in words', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/tail`)
  await exampleRun(gateway.url, { session: 'tailed', steps: 40 })
  const table = page.getByRole('table', { name: 'Events' })
  await expect.poll(async () => Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(120)
  expect(await page.locator('.event-row').count()).toBeLessThan(60)
  await page.getByText(/turn 40: [\d,]+ tokens in \d sections/).waitFor()
  expect(await table.textContent()).not.toContain('{')
  expect(problems).toEqual([])
  await page.context().close()
})
