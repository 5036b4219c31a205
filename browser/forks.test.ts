import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
  for (const [system, requests] of [
    ['You are the first agent.', 3],
    ['You are another agent, with other work.', 2],
  ] as const)
    for (let turn = 1; turn <= requests; turn += 1) await ask(system, turn)
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

async function ask(system: string, turns: number): Promise<void> {
  const said = Array.from({ length: turns }, (_, turn) => [
    ...(turn === 0 ? [] : [{ role: 'assistant', content: `Answer ${turn}.` }]),
    { role: 'user', content: `Question ${turn} for whoever answers.` },
  ])
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'authorization': 'Bearer any', 'x-session-id': 'shared' },
    body: JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'system', content: system }, ...said.flat()] }),
  })
  await response.text()
}

test('conversations under one name are told apart, and each is a link to its requests alone', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/sessions/shared`)
  const table = page.getByRole('table', { name: 'Requests' })
  const rowsShown = (): Promise<string | null> => table.getAttribute('aria-rowcount')
  const others = page.getByRole('navigation', { name: 'Conversations under this name' })
  await others.getByRole('link', { name: 'The first: 3 requests' }).waitFor()
  expect(await rowsShown()).toBe('5')
  await others.getByRole('link', { name: 'Fork 1: 2 requests' }).click()
  await expect.poll(rowsShown).toBe('2')
  expect(page.url()).toContain('lane=')
  await page.reload()
  await expect.poll(rowsShown).toBe('2')
  await others.getByRole('link', { name: 'All 2 conversations' }).click()
  await expect.poll(rowsShown).toBe('5')
  await table.getByRole('link', { name: 'fork' }).first().click()
  await expect.poll(rowsShown).toBe('2')
  expect(problems).toEqual([])
  await page.context().close()
})
