import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { allPaths, examined, settle } from './accessibility-rules.ts'
import { exampleRun, refusedRequest } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser
let paths: readonly string[]

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
  await exampleRun(gateway.url, { session: 'reach', steps: 40 })
  await refusedRequest(gateway.url)
  paths = await allPaths(gateway.url, 'reach')
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [1280, 400])
    test(`names, roles and contrast on every page: ${colorScheme}, ${width} pixels wide`, async () => {
      const { page, problems } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(`${gateway.url}/inspector/${path}`)
        await settle(page)
        const { violations, isWider } = await examined(page)
        expect({ path, violations, isWider }).toEqual({ path, violations: [], isWider: false })
      }
      expect(problems).toEqual([])
      await page.context().close()
    })

describe('with the keyboard alone', () => {
  test('from the overview to an original', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${gateway.url}/inspector/`)
    await settle(page)
    await tabTo(page, (name) => name === 'Sessions')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sessions' }).waitFor()
    await settle(page)
    await tabTo(page, (name) => name.endsWith('reach, OpenAI, gpt-5.1'))
    await page.keyboard.press('Enter')
    await page.locator('h1[title=reach]').waitFor()
    await settle(page)
    await page.getByRole('table', { name: 'Requests' }).focus()
    await page.keyboard.press('End')
    await page.locator('.timeline-row[aria-selected=true]').waitFor()
    expect(await page.locator('.timeline-row[aria-selected=true]').getAttribute('aria-rowindex')).toBe('40')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'What the model saw' }).waitFor()
    await tabTo(page, (name) => name === 'Open the original')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Original', exact: true }).waitFor()
    await page.context().close()
  })

  test('a slash searches, and what is found opens', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${gateway.url}/inspector/policies`)
    await settle(page)
    await page.keyboard.press('/')
    await page.keyboard.type('reac')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'reach' }).waitFor()
    expect(page.url()).toContain('/search?q=reac')
    await page.context().close()
  })
})

/** Presses Tab until what has the focus is called as wanted; fails after two hundred. */
async function tabTo(page: Page, isWanted: (name: string) => boolean): Promise<void> {
  for (let pressed = 0; pressed < 200; pressed += 1) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
    if (isWanted(name)) return
  }
  throw new Error('nothing of that name can be reached with Tab')
}
