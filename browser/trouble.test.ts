import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowser()
})

afterAll(() => browser.close())

describe('a gateway that is slow, broken or closed', () => {
  let gateway: RunningGateway

  beforeAll(async () => {
    gateway = await startGateway(['--record', 'receipts'])
    await exampleRun(gateway.url, { session: 'trouble', steps: 3 })
  })

  afterAll(() => gateway.close())

  test('while an answer is under way the page says so, and goes on when somebody leaves', async () => {
    const { page, problems } = await openPage(browser)
    await page.route('**/v1/sessions?*', async (route) => {
      await new Promise((done) => setTimeout(done, 3000))
      await route.continue().catch(() => undefined)
    })
    await page.goto(`${gateway.url}/inspector/sessions`)
    await page.getByText('Loading …').waitFor()
    await page.getByRole('link', { name: 'Policies' }).click()
    await page.getByRole('link', { name: 'careful' }).waitFor()
    await page.waitForTimeout(3000)
    expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Policies')
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('what is refused is told in the gateway’s words, and can be tried again', async () => {
    const { page } = await openPage(browser)
    let isBroken = true
    await page.route('**/v1/sessions?*', (route) =>
      isBroken
        ? route.fulfill({
            status: 500,
            json: { error: { message: 'The store is locked.', type: 'x', param: null, code: null } },
          })
        : route.continue(),
    )
    await page.goto(`${gateway.url}/inspector/sessions`)
    await page.getByText('The store is locked.').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('link', { name: 'trouble' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.context().close()
  })

  test('a gateway that does not answer is no empty store', async () => {
    const { page } = await openPage(browser)
    await page.route('**/v1/**', (route) => route.abort())
    await page.goto(`${gateway.url}/inspector/`)
    await page.getByText('The gateway does not answer.').first().waitFor()
    expect(await page.getByText('Nothing has come through yet').count()).toBe(0)
    await page.context().close()
  })

  test('where only receipts are kept, it says why there are no texts, and shows the rest', async () => {
    const { page } = await openPage(browser)
    const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as {
      data: { requestId: string }[]
    }
    await page.goto(`${gateway.url}/inspector/requests/${data[0]?.requestId}`)
    await page.getByText('There are no texts of this request').waitFor()
    await page.getByRole('link', { name: 'Decisions' }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(3)
    await page.context().close()
  })
})

test('beyond loopback rules: a token is asked for, sees one tenant, and is kept for the tab alone', async () => {
  const gateway = await startGateway(['--token', 'one=first-secret', '--token', 'two=second-secret'])
  const send = (token: string, session: string): Promise<Response> =>
    fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'authorization': `Bearer ${token}`, 'x-session-id': session },
      body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: session }] }),
    })
  await send('first-secret', 'of-one')
  await send('second-secret', 'of-two')
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/sessions`)
  await page.getByPlaceholder('token').fill('first-secret')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('link', { name: 'of-one' }).waitFor()
  expect(await page.getByText('of-two').count()).toBe(0)
  expect(page.url()).not.toContain('secret')
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('secret')
  const other = await openPage(browser)
  await other.page.goto(`${gateway.url}/inspector/sessions`)
  await other.page.getByPlaceholder('token').waitFor()
  await other.page.context().close()
  await page.context().close()
  await gateway.close()
})
