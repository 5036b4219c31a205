import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRulesKept } from './both-widths.ts'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-both-'))
const usage = { prompt_tokens: 12, completion_tokens: 2, total_tokens: 14 }
const provider = createServer((_, response) => {
  response.setHeader('content-type', 'application/json')
  const message = { role: 'assistant', content: 'Hello' }
  const choices = [{ index: 0, finish_reason: 'stop', message }]
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', model: 'gpt-5.1', choices, usage }))
})

let browser: Browser
let gateway: RunningGateway

async function ask({ url }: RunningGateway, words: string, session?: string): Promise<void> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'authorization': 'Bearer any',
      ...(session !== undefined && { 'x-session-id': session }),
    },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: words }] }),
  })
  expect(response.status).toBe(200)
  await response.text()
}

beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  const simulated = await startGateway([], folder)
  for (const name of ['one', 'two', 'three', 'four', 'five', 'six', 'seven']) await ask(simulated, 'Hello', name)
  await simulated.close()
  const { port } = provider.address() as AddressInfo
  ;[gateway, browser] = await Promise.all([
    startGateway(['--upstream', `openai=http://127.0.0.1:${port}/v1`], folder),
    openBrowser(),
  ])
  await ask(gateway, 'Which port is it?')
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
  provider.close()
  rmSync(folder, { recursive: true, force: true })
})

test('where some sessions were simulated, the pages that say so need no scrolling sideways', async () => {
  const { page } = await openPage(browser)
  for (const path of ['', 'sessions']) {
    await page.goto(`${gateway.url}/inspector/${path}`)
    await page.getByText('simulated provider in 7 of the 8 newest sessions: no money was spent there').waitFor()
    await expectRulesKept(browser, `${gateway.url}/inspector/${path}`)
  }
  await page.context().close()
})

test('the note on sessions without a name shows the id of one that is on the page', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/sessions`)
  const unnamed = page.getByRole('link', { name: 'Which port is it?' })
  const id = (await unnamed.getAttribute('title')) ?? ''
  expect(id).toMatch(/^[0-9a-f]{32}$/)
  expect(await page.locator('p.inside code').first().getAttribute('title')).toBe(id)
  await page.context().close()
})

test('What if shows the three recommended policies first, and the others behind a disclosure', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/what-if`)
  const policies = page.getByRole('group', { name: /^Policies/ })
  await policies.getByRole('checkbox').first().waitFor()
  const shown = await policies.getByRole('checkbox').filter({ visible: true }).count()
  expect(shown).toBe(3)
  await policies.getByText('Presets', { exact: true }).click()
  expect(await policies.getByRole('checkbox').filter({ visible: true }).count()).toBeGreaterThan(10)
  await page.context().close()
})

test('What if says of how many conversations a share is, and shows lines and edits', async () => {
  await exampleRun(gateway.url, { session: 'repair', steps: 46 })
  const { page, problems } = await openPage(browser)
  const chosen = new URLSearchParams({ sessions: 'repair\none', policies: 'careful' })
  await page.goto(`${gateway.url}/inspector/what-if?${chosen}`)
  await page.getByRole('button', { name: 'Replay', exact: true }).click()
  await page.getByText('done', { exact: true }).waitFor({ timeout: 90_000 })
  await page.getByText(/used later in 1 of 2 conversations, and edits .* in 1 of 2 conversations\./).waitFor()
  const row = page.getByRole('region', { name: 'Strategies' }).getByRole('row').filter({ hasText: 'careful' })
  expect(await row.innerText()).toMatch(/%\s+of 1 of 2 conversations\s+[\d.]+%\s+of 1 of 2 conversations/)
  expect(await page.getByRole('img').getAttribute('aria-label')).toMatch(
    /A careful: cost [\d.]+%, lines [\d.]+%, edits [\d.]+%/,
  )
  expect(await page.getByRole('columnheader', { name: 'careful, edits' }).count()).toBe(1)
  expect(problems).toEqual([])
  await page.context().close()
})
