import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRulesKept } from './both-widths.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser } from './pages.ts'
import { openSignedIn, operator, reader, tokens } from './signed-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-operate-'))
const providerKey = 'sk-of-the-tenant-0123456789-wxyz'
let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  const config = join(folder, 'config.json')
  const providerKeys = { secret: 'a secret of an installation that is long enough' }
  const acme = { budgets: { requestsPerDay: 10 }, teams: { web: { budgets: { usdPerMonth: 400 } } } }
  writeFileSync(config, JSON.stringify({ tokens, providerKeys, tenants: { acme, umbrella: {} } }))
  ;[gateway, browser] = await Promise.all([startGateway(['--config', config]), openBrowser()])
  for (let request = 0; request < 9; request += 1) {
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'authorization': `Bearer ${operator}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: 'Hello' }] }),
    })
    await response.text()
  }
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
  rmSync(folder, { recursive: true })
})

const opened = (path: string, token: string = operator): ReturnType<typeof openSignedIn> =>
  openSignedIn(browser, `${gateway.url}/inspector/${path}`, token)

test('budgets say what is spent and left, and mark what is scarce', async () => {
  const { page, problems } = await opened('budgets')
  const own = page.getByRole('row').filter({ hasText: 'Requests a day' })
  expect(await own.innerText()).toMatch(/the tenant\s+Requests a day\s+10%\s+scarce\s+1\s+10\s+9\s+0\s/)
  const team = page.getByRole('row').filter({ hasText: 'team web' })
  expect(await team.innerText()).toMatch(/Dollars a month[\s\S]*\$400\.00/)
  expect(await team.getByText('scarce').count()).toBe(0)
  expect(problems).toEqual([])
  await page.getByLabel('Tenant').fill('umbrella')
  await page.keyboard.press('Enter')
  await page.getByText('Nothing limits what this tenant spends').waitFor()
  expect(await page.locator('pre').innerText()).toContain('prehend tenants set umbrella settings.json')
  await page.context().close()
})

test('a key is made with a budget, which the budgets then show, and is revoked', async () => {
  const { page, problems } = await opened('keys')
  await page.getByText('There are no keys').waitFor()
  await page.getByLabel('Name').fill('agent')
  await page.getByLabel('Dollars a day').fill('5')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The secret of agent is shown only now').waitFor()
  await page.getByRole('link', { name: 'Dollars a day: $5.00' }).click()
  await page.waitForURL('**/inspector/budgets?tenant=acme')
  await page.getByRole('row').filter({ hasText: 'Dollars a day' }).filter({ hasText: '$5.00' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke agent: it ends at once' }).click()
  await page.getByRole('table', { name: 'Keys' }).getByText('revoked').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('settings of a tenant are changed; what the gateway refuses is said in its own words', async () => {
  const { page } = await opened('tenants')
  await page.getByRole('link', { name: 'acme' }).click()
  await page.getByText('None are stored: those of the configuration hold.').waitFor()
  const text = page.getByRole('textbox', { name: /They go before/ })
  const save = page.getByRole('button', { name: 'Save' })
  await text.fill('{"polcy": "thrifty"}')
  await save.click()
  await page.getByRole('alert').getByText('polcy').waitFor()
  await text.fill('{"policy": ')
  await save.click()
  await page.getByRole('alert').getByText('The settings are no JSON').waitFor()
  await text.fill('{"policy": "thrifty", "budgets": {"requestsPerDay": 20}}')
  await save.click()
  await page.getByText('Revision 1, in force').waitFor()
  expect(JSON.parse(await text.inputValue())).toEqual({ policy: 'thrifty', budgets: { requestsPerDay: 20 } })
  await page.getByRole('row').filter({ hasText: 'Requests a day' }).getByText('55%').waitFor()
  await text.fill('{"policy": "careful"}')
  await change('PUT', '/v1/tenants/acme/settings', { policy: 'balanced' })
  await save.click()
  await page.getByRole('alert').getByText('revision').waitFor()
  await page.reload()
  await page.getByText('Revision 2, in force').waitFor()
  await page.getByRole('button', { name: 'Remove' }).first().click()
  await page.getByRole('button', { name: 'Remove all: the configuration holds again' }).click()
  await page.getByRole('row').filter({ hasText: 'Requests a day' }).getByText('scarce').waitFor()
  await page.context().close()
})

async function change(method: string, path: string, body: object): Promise<void> {
  const headers = { 'authorization': `Bearer ${operator}`, 'content-type': 'application/json' }
  const response = await fetch(gateway.url + path, { method, headers, body: JSON.stringify(body) })
  expect(response.status).toBe(200)
}

test('keys for providers are named and never shown', async () => {
  const { page, problems } = await opened('tenants/umbrella')
  await page.getByText(`prehend provider-keys set openai --tenant umbrella --url ${gateway.url}`).waitFor()
  await change('PUT', '/v1/tenants/umbrella/provider-keys/openai', { key: providerKey })
  await page.reload()
  const row = page.getByRole('table', { name: 'Keys for providers' }).getByRole('row').filter({ hasText: 'openai' })
  expect(await row.innerText()).toMatch(/sk-o…wxyz\s+ready\s[\s\S]*secret:[0-9a-f]{16}/)
  expect(await page.content()).not.toContain(providerKey)
  await row.getByRole('button', { name: 'Remove' }).click()
  await row.getByRole('button', { name: 'Remove openai: the key of the configuration is used again' }).click()
  await page.getByText('It has none of its own').waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('who is no operator sees its own budgets, and is told which scope the rest takes', async () => {
  const { page } = await opened('tenants', reader)
  await page.getByText('The list takes the scope operator').waitFor()
  await page.getByRole('link', { name: 'umbrella' }).click()
  await page.getByRole('alert').getByText('admin').first().waitFor()
  await page.getByText('Nothing limits what this tenant spends').waitFor()
  await page.goto(`${gateway.url}/inspector/budgets?tenant=acme`)
  await page.getByRole('alert').getByText('operator').waitFor()
  expect(await page.getByText('Requests a day').count()).toBe(0)
  await page.context().close()
})

test('rules of accessibility are kept', async () => {
  for (const path of ['keys', 'budgets', 'tenants', 'tenants/acme'])
    await expectRulesKept(browser, `${gateway.url}/inspector/${path}`, operator)
})
