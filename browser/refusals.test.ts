import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const said = 'This model’s maximum context is <b>8192</b> tokens.\nYou asked for 9000.'

let browser: Browser

/** A provider that refuses everything. */
const provider = createServer((_, response) => {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { message: said, type: 'invalid_request_error', param: null, code: null } }))
})

beforeAll(async () => {
  await once(provider.listen(0, '127.0.0.1'), 'listening')
  browser = await openBrowser()
})

afterAll(async () => {
  await browser.close()
  provider.close()
})

/** What the page of a request tells that its provider has refused, reached from the overview. */
async function toldOf(options: readonly string[]): Promise<string> {
  const { port } = provider.address() as AddressInfo
  const gateway = await startGateway(['--upstream', `openai=http://127.0.0.1:${port}/v1`, ...options])
  const refused = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': 'Bearer any', 'x-session-id': 'refused' },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }),
  })
  expect(refused.status).toBe(400)
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/failures`)
  await page.locator('tbody').getByRole('link').first().click()
  const answer = page.getByRole('region', { name: 'The provider’s answer' })
  const text = await answer.innerText()
  expect(await answer.locator('b').count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
  await gateway.close()
  return text
}

test('a refused request shows what the provider said, word for word', async () => {
  const text = await toldOf([])
  expect(text).toContain('The provider answered 400, invalid_request_error')
  expect(text).toContain(said)
})

test('where content is not recorded the page says that, and how it would be', async () => {
  const text = await toldOf(['--record', 'receipts'])
  expect(text).toContain('The provider answered 400, invalid_request_error')
  expect(text).toContain('--record content')
  expect(text).not.toContain('8192')
})
