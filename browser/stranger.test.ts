import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
  await exampleRun(gateway.url, { session: 'named', steps: 12 })
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

test('what was saved has one sign, in dollars and as a share', async () => {
  const { page } = await openPage(browser)
  for (const path of ['', 'sessions']) {
    await page.goto(`${gateway.url}/inspector/${path}`)
    const cells = page.locator('tbody td').filter({ hasText: /\$.*%\)/ })
    await cells.first().waitFor()
    for (const text of await cells.allInnerTexts()) {
      const [dollars = '', share = ''] = text.split('(')
      expect({ text, isLoss: dollars.includes('-') }).toEqual({ text, isLoss: share.includes('-') })
    }
  }
  await page.context().close()
})

test('a session whose client gave no name says where its name is from, and how to give one', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/sessions`)
  await page.getByRole('link', { name: 'named' }).waitFor()
  expect(await page.getByText('x-session-id').count()).toBe(0)
  const body = { model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }
  const headers = { 'content-type': 'application/json', 'authorization': 'Bearer any' }
  const reply = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  await reply.text()
  await page.reload()
  await page.getByText('x-session-id').waitFor()
  await page.goto(`${gateway.url}/inspector/what-if`)
  await page.getByRole('checkbox', { name: /^Hello node, gpt-5\.1, 1 request, / }).waitFor()
  await page.goto(`${gateway.url}/inspector/tail`)
  await page
    .getByText(/learned of reports and outcomes: calibration gpt-5\.1 /)
    .first()
    .waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})
