import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examined, settle } from './accessibility-rules.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let browser: Browser
let gateway: RunningGateway

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

test('the menu groups all pages, and marks the one that is open', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/`)
  const menu = page.getByRole('navigation', { name: 'Pages' })
  for (const [group, titles] of [
    ['Traffic', ['Overview', 'Sessions', 'Failures', 'Tail']],
    ['Context', ['Tools', 'Artifacts', 'Policies', 'What if']],
    ['Operate', ['Keys', 'Budgets', 'Tenants', 'Audit', 'Health']],
  ] as const)
    expect(await menu.getByRole('list', { name: group }).getByRole('link').allInnerTexts()).toEqual(titles)
  for (const title of await menu.getByRole('link').allInnerTexts()) {
    await menu.getByRole('link', { name: title, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor()
    expect(await menu.locator('[aria-current=page]').allInnerTexts()).toEqual([title])
    // The title follows the page by a moment.
    await expect.poll(() => page.title()).toBe(`${title} · Prehend`)
  }
  expect(problems).toEqual([])
  await page.context().close()
})

test('a page below another marks the one that it belongs to', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/policies/careful`)
  const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current=page]')
  expect(await current.allInnerTexts()).toEqual(['Policies'])
  await page.context().close()
})

test('on a narrow screen a button opens the menu, Escape closes it, and so does the choice of a page', async () => {
  const { page, problems } = await openPage(browser, { viewport: { width: 400, height: 900 } })
  await page.goto(`${gateway.url}/inspector/`)
  const menu = page.getByRole('navigation', { name: 'Pages' })
  const button = page.getByRole('button', { name: 'Menu' })
  expect(await menu.count()).toBe(0)
  await button.press('Enter')
  expect(await button.getAttribute('aria-expanded')).toBe('true')
  await settle(page)
  const { violations, isWider } = await examined(page)
  expect([violations, isWider]).toEqual([[], false])
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Overview')
  await page.keyboard.press('Escape')
  expect(await menu.count()).toBe(0)
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Menu')
  await button.click()
  await menu.getByRole('link', { name: 'Tools' }).click()
  await page.getByRole('heading', { level: 1, name: 'Tools' }).waitFor()
  expect(await button.getAttribute('aria-expanded')).toBe('false')
  expect(problems).toEqual([])
  await page.context().close()
})

test('on a wide screen there is no button, and landmarks lead to menu, search and page', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/tools`)
  await settle(page)
  expect(await page.getByRole('button', { name: 'Menu' }).count()).toBe(0)
  for (const landmark of ['banner', 'navigation', 'search', 'main'] as const)
    expect([landmark, await page.getByRole(landmark).count()]).toEqual([landmark, 1])
  await page.context().close()
})
