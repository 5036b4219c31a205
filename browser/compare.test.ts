import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser
let requestId: string

interface Comparison {
  readonly sides: readonly { readonly packTokens: number }[]
  readonly counts: { readonly items: number; readonly otherwise: number }
  readonly items: readonly { readonly itemId: string; readonly original: string }[]
}

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(['--policy', 'careful']), openBrowser()])
  await exampleRun(gateway.url, { session: 'compared', steps: 46 })
  const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as { data: { requestId: string }[] }
  requestId = data[0]?.requestId ?? ''
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

async function told(policy: string): Promise<Comparison> {
  const answer = await fetch(`${gateway.url}/v1/packs/${requestId}/comparison?limit=1000&policy=${policy}`)
  return (await answer.json()) as Comparison
}

async function cells(page: Page, row: string): Promise<readonly (string | null)[]> {
  const found = page.getByRole('region', { name: 'What both come to' }).getByRole('row').filter({ hasText: row })
  return found.locator('td').allTextContents()
}

test('from a request to how another policy would have sent it: what is otherwise first, originals in place', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/requests/${requestId}`)
  await page.getByRole('link', { name: 'Under another policy' }).click()
  await page.getByRole('combobox', { name: 'Policy', exact: true }).selectOption('thrifty')
  await page.getByRole('heading', { name: 'Side by side' }).waitFor()
  const { sides, counts, items } = await told('thrifty')
  const [sent, other] = await cells(page, 'Tokens of items sent')
  expect([sent, other].map((text) => Number(text?.replaceAll(/\D/g, '')))).toEqual(sides.map((side) => side.packTokens))
  expect(sides[1]?.packTokens).toBeLessThan(sides[0]?.packTokens ?? 0)

  await page.locator('.conversation[aria-busy=false]').waitFor()
  expect(await page.locator('.entry').count()).toBe(counts.items)
  expect(await page.locator('.entry:has(.side-by-side)').count()).toBe(counts.otherwise)
  const first = page.locator('.entry').first()
  await first.getByTitle(items[0]?.itemId ?? '', { exact: true }).waitFor()
  const columns = await first.locator('.shown-by').allTextContents()
  expect(columns).toHaveLength(2)
  expect(columns[0]).toContain('careful, as sent')
  expect(columns[1]).toContain('thrifty')
  await first.getByRole('button', { name: 'Open the original' }).click()
  const original = await first.locator('.original pre').first().textContent()
  expect(items[0]?.original.startsWith(original ?? 'nothing')).toBe(true)
  await first.getByText('From the one to the other').click()
  await first.locator('.difference del, .difference ins').first().waitFor()

  const address = page.url()
  expect(address).toContain('policy=thrifty')
  await page.reload()
  await page.getByRole('heading', { name: 'Side by side' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('its own policy would have sent the same, and says so', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/requests/${requestId}?tab=compare&policy=careful`)
  await page.getByText('word for word').waitFor()
  const [before, after] = await cells(page, 'All up to this one')
  expect(before).toBe(after)
  await page.context().close()
})

test('a figure of What if leads to its request side by side, under the policy that was written there', async () => {
  const mine = { extends: 'thrifty', id: 'mine', version: '1.0.0', epochs: { lineWorth: 0.1 } }
  const started = await fetch(`${gateway.url}/v1/replays`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sessions: ['compared'], policies: ['careful', mine] }),
  })
  const { id } = (await started.json()) as { id: string }
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/what-if?replay=${id}`)
  await page.getByText('done', { exact: true }).waitFor({ timeout: 90_000 })
  await page.getByRole('region', { name: 'Sessions of the replay' }).getByRole('link', { name: 'compared' }).click()
  const rows = page.getByRole('region', { name: 'Requests of the session' }).locator('tbody tr')
  await rows.last().locator('td').nth(3).getByRole('link').click()
  await page.getByRole('heading', { name: 'What it comes to' }).waitFor()
  expect(page.url()).toContain(encodeURIComponent(`${id}:B`))
  await page.getByRole('columnheader', { name: 'mine' }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('from a request to the next one of its conversation, and back, under the same tab', async () => {
  const { page } = await openPage(browser)
  const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=3`)).json()) as { data: { requestId: string }[] }
  const [newest, middle] = data.map((row) => row.requestId)
  await page.goto(`${gateway.url}/inspector/requests/${middle}?tab=decisions`)
  await page.getByRole('link', { name: 'the next →' }).click()
  await page.locator(`h1[title="${newest}"]`).waitFor()
  expect(page.url()).toContain('tab=decisions')
  await page.getByText('the newest', { exact: true }).waitFor()
  await page.getByRole('link', { name: '← the one before' }).click()
  await page.locator(`h1[title="${middle}"]`).waitFor()
  await page.context().close()
})
