import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { exampleRun, refusedRequest } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser
let requestId: string

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(['--policy', 'thrifty']), openBrowser()])
  await exampleRun(gateway.url, { session: 'linked', steps: 46 })
  const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as { data: { requestId: string }[] }
  requestId = data[0]?.requestId ?? ''
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

test('a decision leads to its text, its handle to the original, and a handle by itself, too', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/requests/${requestId}?tab=decisions&sort=-less`)
  const row = page.locator('tbody tr').first()
  await row.waitFor()
  const named = row.getByRole('link').first()
  const item = (await named.getAttribute('title')) ?? ''
  const [handle = ''] = await row.locator('code').allTextContents()
  await named.click()
  const entry = page.locator('.entry[aria-current]')
  await entry.getByTitle(item, { exact: true }).waitFor()
  expect(await entry.evaluate((element) => element.getBoundingClientRect().top < innerHeight)).toBe(true)
  expect(await entry.getByRole('heading', { name: 'Original', exact: true }).count()).toBe(0)
  await page.goBack()
  await row.getByRole('link', { name: handle }).click()
  await entry.getByRole('heading', { name: 'Original', exact: true }).waitFor()

  await page.keyboard.press('/')
  await page.keyboard.type(handle)
  await page.keyboard.press('Enter')
  await page.getByRole('link', { name: `[${handle}]` }).click()
  await page.getByRole('heading', { name: 'Original', exact: true }).waitFor()
  await page.getByRole('link', { name: 'The request with which it was' }).click()
  await entry.getByTitle(item, { exact: true }).waitFor()
  expect(problems).toEqual([])
  await page.context().close()
})

test('the overview names the items that took most, and a session by what its user typed', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/`)
  const panel = page.locator('.panel', { hasText: 'Where the tokens go' })
  await panel.getByRole('cell', { name: 'results of bash' }).waitFor()
  const areas = await panel
    .locator('.treemap-group')
    .evaluateAll((groups) =>
      groups.map((group) => group.getBoundingClientRect().width * group.getBoundingClientRect().height),
    )
  const drawn = await panel.locator('.treemap').boundingBox()
  const share = await panel.getByRole('row', { name: /^results of bash / }).innerText()
  const percent = Number(/([\d.]+)%/.exec(share)?.[1])
  // Areas say what the table says.
  expect((100 * areas[0]!) / (drawn!.width * drawn!.height)).toBeCloseTo(percent, 0)
  await panel
    .getByRole('link', { name: /^bash: / })
    .first()
    .click()
  await page.locator('.entry[aria-current]').getByText('Result of bash: ').waitFor()
  await page.goto(`${gateway.url}/inspector/sessions`)
  await page.getByRole('link', { name: /^Several tests of this library fail/ }).click()
  await page.waitForURL('**/inspector/sessions/linked')
  expect(problems).toEqual([])
  await page.context().close()
})

test('a request that fits nowhere is said to have gone on as it came, and stands among the failures', async () => {
  await refusedRequest(gateway.url)
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/`)
  await page.getByRole('link', { name: '1 failed' }).click()
  await page.getByRole('row', { name: 'too-long' }).getByRole('link').first().click()
  await page.getByText('The model was sent all').waitFor()
  await page.getByText('what its policy keeps does not fit').waitFor()
  expect(await page.locator('.figure', { hasText: 'Sent unchanged' }).count()).toBe(1)
  await page.getByRole('link', { name: 'See the bytes' }).click()
  await page.getByText('They are the same to the byte').waitFor()
  await page.context().close()
})

test('on a telephone a request of a session still tells what befell it', async () => {
  const { page } = await openPage(browser, { viewport: { width: 400, height: 800 } })
  await page.goto(`${gateway.url}/inspector/sessions/linked`)
  const chip = page.locator('.timeline-row .chip', { hasText: 'epoch' }).first()
  await chip.scrollIntoViewIfNeeded()
  expect(await chip.isVisible()).toBe(true)
  const isWithin = await chip.evaluate((element) => {
    const row = element.closest('.timeline-row')?.getBoundingClientRect()
    const own = element.getBoundingClientRect()
    return row !== undefined && own.top >= row.top - 1 && own.bottom <= row.bottom + 1 && own.right <= row.right
  })
  expect(isWithin).toBe(true)
  await page.context().close()
})
