import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

describe('a first visit', () => {
  test('an empty store says what to do; an agent comes, and is seen while the page is open', async () => {
    const { page, problems } = await openPage(browser)
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Nothing has come through yet' }).waitFor()
    expect(await page.locator('pre').first().textContent()).toContain(gateway.url)
    await page.getByText('live', { exact: true }).waitFor()

    await exampleRun(gateway.url, { session: 'visit', steps: 46 })
    await page.getByText('Saved', { exact: true }).first().waitFor()
    const requests = page
      .locator('.figure', { hasText: /Requests/ })
      .first()
      .locator('dd')
    await expect.poll(() => requests.textContent()).toMatch(/^46/)
    await page.getByRole('link', { name: 'Sessions' }).click()
    await page.getByRole('link', { name: 'visit' }).click()
    await page.locator('h1[title=visit]').waitFor()
    await page.locator('.timeline-row').nth(10).waitFor()
    expect(await page.getByRole('table', { name: 'Requests' }).getAttribute('aria-rowcount')).toBe('46')
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a request opens: what the model saw, why, what it cost; and it is proven', async () => {
    const { page, problems } = await openPage(browser)
    const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as {
      data: { requestId: string }[]
    }
    await page.goto(`${gateway.url}/inspector/requests/${data[0]?.requestId}`)
    await page.getByRole('heading', { name: 'What the model saw' }).waitFor()
    const shortened = page.getByRole('button', { name: 'Open the original' })
    await shortened.first().click()
    await page.getByRole('heading', { name: 'Original', exact: true }).first().waitFor()

    await page.getByRole('link', { name: 'Decisions' }).click()
    await page.getByRole('link', { name: /^Less/ }).click()
    const first = await page.locator('tbody tr').first().locator('td').nth(4).textContent()
    const second = await page.locator('tbody tr').nth(1).locator('td').nth(4).textContent()
    expect(whole(first)).toBeGreaterThanOrEqual(whole(second))
    expect(page.url()).toContain('sort=')

    await page.getByRole('link', { name: 'Against the one before' }).click()
    await page.getByText('the prefix holds').waitFor()
    await page.getByRole('link', { name: 'Bytes' }).click()
    await page.getByText('proven by its hash').waitFor()
    await page.getByRole('button', { name: 'Verify' }).click()
    await page.getByText('Verified: made again to the byte').waitFor()
    expect(problems).toEqual([])
    await page.context().close()
  })

  test('a person says whether its answer was good, changes that, and finds it again', async () => {
    const { page, problems } = await openPage(browser)
    const { data } = (await (await fetch(`${gateway.url}/v1/packs?limit=1`)).json()) as {
      data: { requestId: string; session: string }[]
    }
    const { requestId = '', session = '' } = data[0] ?? {}
    await page.goto(`${gateway.url}/inspector/requests/${requestId}`)
    const verdict = page.getByRole('group', { name: 'Your verdict on this request' })
    const button = (name: string, pressed: boolean) => verdict.getByRole('button', { name, pressed })
    await button('Good', false).click()
    await verdict.getByText('Recorded as good.').waitFor()
    await button('Good', true).waitFor()
    await button('Bad', false).focus()
    await page.keyboard.press('Enter')
    await verdict.getByText('Recorded as bad.').waitFor()
    await page.reload()
    await button('Bad', true).waitFor()
    await button('Good', false).waitFor()
    const outcomes = await fetch(`${gateway.url}/v1/outcomes?session=${encodeURIComponent(session)}`)
    expect(await outcomes.json()).toMatchObject({ data: [{ requestId, source: 'person', quality: 0 }] })
    expect(problems).toEqual([])
    await page.context().close()
  })
})

describe('what if', () => {
  test('recorded sessions are sent again by other policies, and compared', async () => {
    await exampleRun(gateway.url, { session: 'again', steps: 46 })
    const { page, problems } = await openPage(browser)
    await page.goto(`${gateway.url}/inspector/what-if`)
    const start = page.getByRole('button', { name: 'Replay', exact: true })
    expect(await start.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'again' }).check()
    await page.getByRole('checkbox', { name: /^careful\b/u }).check()
    await page.getByRole('checkbox', { name: /^thrifty\b/u }).check()
    await page.getByText('One written here').click()
    await page.getByRole('textbox', { name: 'Policy, in JSON' }).fill('{ "extends": "careful", "id": "mine" }')
    await page.getByRole('button', { name: 'Check and use' }).click()
    await page.getByText('version').first().waitFor()
    await page
      .getByRole('textbox', { name: 'Policy, in JSON' })
      .fill('{ "extends": "careful", "id": "mine", "version": "1.0.0", "epochs": { "lineWorth": 0.1 } }')
    await page.getByRole('button', { name: 'Check and use' }).click()
    await page.getByText('mine is in order').waitFor()
    await page.getByRole('textbox', { name: 'Billed by' }).fill('gpt-5.1')
    await start.click()
    await page.getByText('done', { exact: true }).waitFor({ timeout: 90_000 })
    const shares = await Promise.all(
      ['pass-through', 'careful', 'thrifty', 'mine'].map(async (name) => {
        const row = page.getByRole('row').filter({ hasText: new RegExp(`(^|[A-D] )${name}`) })
        return Number.parseFloat((await row.first().locator('td').nth(4).textContent()) ?? '')
      }),
    )
    expect(shares[0]).toBe(100)
    expect(shares[2]).toBeLessThan(shares[1] ?? 0)
    await page.getByRole('region', { name: 'Sessions of the replay' }).getByRole('link', { name: 'again' }).click()
    await page.getByRole('region', { name: 'Requests of the session' }).waitFor()
    expect(await page.getByRole('region', { name: 'Requests of the session' }).locator('tbody tr').count()).toBe(46)
    expect(page.url()).toMatch(/replay=rpl_.*session=again/)
    expect(problems.filter((problem) => !problem.includes('400'))).toEqual([])
    await page.context().close()
  })
})

function whole(text: string | null): number {
  return Number((text ?? '').replaceAll(/\D/g, '') || 0)
}
