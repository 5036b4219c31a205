import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { settle } from './accessibility-rules.ts'
import { expectRulesKept } from './both-widths.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser } from './pages.ts'
import { openSignedIn, operator, reader, tokens } from './signed-in.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-artifacts-'))
/** Lines of three-byte characters, so that a range ends within one. */
const long = Array.from({ length: 9_000 }, (_, at) => `€€€€€ line ${at}\n`).join('')
let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  const config = join(folder, 'config.json')
  writeFileSync(config, JSON.stringify({ tokens, tenants: { acme: {}, umbrella: {} } }))
  ;[gateway, browser] = await Promise.all([startGateway(['--config', config]), openBrowser()])
  await put('42/step-1/report.md', '# First', 'text/markdown')
  await put('42/step-1/report.md', long, 'text/markdown')
  await put('42/step-2/shot.zip', 'PK', 'application/zip', 'raw')
  await put('43/step-1/hostile.html', '<script>document.title = "taken"</script>', 'text/html')
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
  rmSync(folder, { recursive: true })
})

async function put(path: string, body: string, type: string, kept = 'evidence'): Promise<void> {
  const response = await fetch(`${gateway.url}/v1/artifacts/tasks/${path}?class=${kept}`, {
    method: 'PUT',
    headers: { 'authorization': `Bearer ${operator}`, 'content-type': type },
    body,
  })
  if (response.status !== 201) throw new Error(`it was answered ${response.status}`)
}

const opened = (path: string, token: string = operator): ReturnType<typeof openSignedIn> =>
  openSignedIn(browser, `${gateway.url}/inspector/${path}`, token)

test('lists artifacts by path with kind, class, size and versions, narrowed by path, class and hold', async () => {
  const { page, problems } = await opened('artifacts')
  const row = page.getByRole('row').filter({ hasText: 'tasks/42/step-1/report.md' })
  expect(await row.innerText()).toMatch(/Markdown\s+Evidence\s+\d+(?:\.\d)? KiB\s+2\s/)
  expect(await page.locator('tbody tr').count()).toBe(3)
  await page.locator('.page select').selectOption('Raw results')
  expect(await page.locator('tbody tr').allInnerTexts()).toEqual([expect.stringContaining('shot.zip')])
  await page.getByLabel('on hold only').check()
  await page.getByText('None of them is like that').waitFor()
  expect(new URL(page.url()).search).toBe('?class=raw&hold=1')
  await page.goto(`${gateway.url}/inspector/artifacts`)
  await page.getByLabel('Paths that begin with').fill('tasks/43/')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/artifacts?list=tasks%2F43%2F')
  await settle(page)
  expect(await page.locator('tbody tr').count()).toBe(1)
  expect(problems).toEqual([])
  await page.context().close()
})

test('a long text comes range by range, without a broken character, and versions can be chosen', async () => {
  const { page, problems } = await opened('artifacts/42/step-1/report.md')
  const content = page.getByRole('group', { name: 'content' })
  expect((await content.textContent())?.length).toBeLessThan(long.length)
  for (let read = 65_536; read < Buffer.byteLength(long); read += 65_536) {
    await page.getByRole('button', { name: 'Show the next' }).click()
    await settle(page)
  }
  expect(await content.textContent()).toBe(long)
  expect(await page.getByRole('button', { name: 'Show the next' }).count()).toBe(0)
  await page.getByRole('table', { name: 'Versions' }).getByRole('link', { name: '1' }).click()
  await page.getByText('# First').waitFor()
  expect(new URL(page.url()).search).toBe('?version=1')
  expect(problems).toEqual([])
  await page.context().close()
})

test('a hold is set and lifted, of one version and of all', async () => {
  const { page, problems } = await opened('artifacts/42/step-1/report.md')
  const versions = page.getByRole('table', { name: 'Versions' })
  await versions.getByRole('button', { name: 'Hold version 1' }).click()
  await versions.getByRole('button', { name: 'Lift version 1' }).waitFor()
  expect(await versions.getByText('on hold').count()).toBe(1)
  await page.getByRole('button', { name: 'Hold all' }).click()
  await page.getByRole('button', { name: 'Lift the hold of all' }).click()
  await page.getByRole('button', { name: 'Hold all' }).waitFor()
  expect(await versions.getByText('on hold').count()).toBe(0)
  expect(problems).toEqual([])
  await page.context().close()
})

test('who may not hold is told so, and another tenant finds nothing but what to do next', async () => {
  const own = await fetch(`${gateway.url}/v1/artifacts/tasks/7/step-1/own.txt`, {
    method: 'PUT',
    headers: { 'authorization': `Bearer ${reader}`, 'content-type': 'text/plain' },
    body: 'own',
  })
  expect(own.status).toBe(201)
  const { page } = await opened('artifacts/7/step-1/own.txt', reader)
  await page.getByRole('button', { name: 'Hold version 1' }).click()
  await page.getByRole('alert').getByText('admin').waitFor()
  await page.goto(`${gateway.url}/inspector/artifacts/42/step-1/report.md`)
  await page.getByText('There is no such artifact').waitFor()
  await page.goto(`${gateway.url}/inspector/artifacts?list=tasks/42/`)
  await page.getByText('No path begins with tasks/42/').waitFor()
  await page.getByText(`prehend artifacts put tasks/42/step-1/report.md report.md --url ${gateway.url}`).waitFor()
  await page.context().close()
})

test('what is no text says how to save it; what a browser could run is shown as text', async () => {
  const { page, problems } = await opened('artifacts/42/step-2/shot.zip')
  await page.getByText(`prehend artifacts get tasks/42/step-2/shot.zip --version 1 --url ${gateway.url}`).waitFor()
  await page.goto(`${gateway.url}/inspector/artifacts/43/step-1/hostile.html`)
  await page.getByText('<script>document.title').waitFor()
  expect(await page.title()).toBe('hostile.html · Prehend')
  expect(problems).toEqual([])
  await page.context().close()
})

test('rules of accessibility are kept', async () => {
  await expectRulesKept(browser, `${gateway.url}/inspector/artifacts`, operator)
  await expectRulesKept(browser, `${gateway.url}/inspector/artifacts/42/step-1/report.md`, operator)
})
