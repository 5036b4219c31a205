import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-layers-'))
let browser: Browser

/** A provider that always names a customer. */
const provider = createServer((_, response) => {
  const message = { role: 'assistant', content: 'It was ACME.' }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ id: 'c', model: 'gpt-5.1', choices: [{ index: 0, finish_reason: 'stop', message }] }))
})

beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  provider.close()
  rmSync(folder, { recursive: true })
})

test('a request shows what each of its layers did, and what it noted', async () => {
  const { port } = provider.address() as AddressInfo
  const config = join(folder, 'config.json')
  const noCustomer = { text: 'Name no customer.', strength: 'hard', about: 'customers', check: { lacks: ['ACME'] } }
  writeFileSync(config, JSON.stringify({ constraints: [noCustomer], repairs: 1 }))
  const gateway = await startGateway(['--config', config, '--upstream', `openai=http://127.0.0.1:${port}/v1`])
  const refused = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': 'Bearer any' },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Who called?' }] }),
  })
  expect(refused.status).toBe(422)
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/failures`)
  await page.locator('tbody').getByRole('link').first().click()
  await page.locator('.page').getByRole('link', { name: 'Budget' }).click()
  const row = page.getByRole('row').filter({ has: page.getByRole('cell', { name: 'constraints', exact: true }) })
  expect(await row.innerText()).toMatch(/constraints\s+refused\s+repairs 1, withheld \["customers","customers"\]/)
  const session = page.getByRole('row').filter({ hasText: 'session' }).first()
  expect(await session.innerText()).toMatch(/session\s+changed/)
  expect(problems).toEqual([])
  await gateway.close()
})
