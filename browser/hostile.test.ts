import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGateway } from './gateway.ts'
import type { RunningGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

let gateway: RunningGateway
let browser: Browser

const code = `<img src=x onerror="window.taken=1"><script>window.taken=1</script>"><svg onload=window.taken=1>`
const address = 'javascript:window.taken=1'

beforeAll(async () => {
  ;[gateway, browser] = await Promise.all([startGateway(), openBrowser()])
  await send('a<b>&"\'', code)
  await send(address, address)
  await send('../../../etc', `${code}\u202e\u0000\ufeff`)
})

afterAll(async () => {
  await browser.close()
  await gateway.close()
})

/** One conversation in which everything that a client may write is hostile. */
async function send(session: string, text: string): Promise<void> {
  const name = 'read_file'
  const call = {
    id: text.slice(0, 40),
    type: 'function',
    function: { name, arguments: JSON.stringify({ path: text }) },
  }
  const body = {
    model: text,
    tools: [
      { type: 'function', function: { name, description: text, parameters: { type: 'object', properties: {} } } },
    ],
    messages: [
      { role: 'system', content: text },
      { role: 'user', content: `${text} [look](${address})` },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: text },
      { role: 'user', content: text },
    ],
  }
  const response = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-session-id': encodeURIComponent(session) },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(await response.text())
}

test('whatever a client or a tool writes is text, on every page', async () => {
  const { page, problems } = await openPage(browser)
  const packs = (await (await fetch(`${gateway.url}/v1/packs`)).json()) as {
    data: { requestId: string; session: string }[]
  }
  expect(packs.data).toHaveLength(3)
  const tabs = ['conversation', 'decisions', 'budget', 'before', 'bytes', 'bytes&bytes=received', 'bytes&bytes=sent']
  const paths = [
    '',
    'sessions',
    'tail',
    'search?q=%3Cimg',
    ...packs.data.flatMap(({ requestId, session }) => [
      `sessions/${encodeURIComponent(session)}`,
      ...tabs.map((tab) => `requests/${requestId}?tab=${tab}`),
    ]),
  ]
  for (const path of paths) {
    await page.goto(`${gateway.url}/inspector/${path}`)
    await page.locator('.page').waitFor()
    await page.waitForLoadState('networkidle', { timeout: 1500 }).catch(() => undefined)
    const taken = await page.evaluate('window.taken')
    const links = await page.locator('a[href^="javascript:" i], [src="x"], svg[onload]').count()
    const alerts = await page.getByRole('alert').count()
    expect({ path, taken, links, alerts }).toEqual({ path, taken: undefined, links: 0, alerts: 0 })
  }
  await page.goto(`${gateway.url}/inspector/requests/${packs.data[2]?.requestId}`)
  await page.getByText('<script>window.taken=1</script>').first().waitFor()
  expect(problems).toEqual([])
})

test('no other page may hold it, and it asks nobody else', async () => {
  const { page } = await openPage(browser)
  await page.goto(`${gateway.url}/inspector/`)
  const framed = await page.evaluate(async (url) => {
    const frame = document.createElement('iframe')
    frame.src = url
    document.body.append(frame)
    await new Promise((done) => frame.addEventListener('load', done))
    return frame.contentDocument?.querySelector('#app') !== null && frame.contentDocument !== null
  }, `${gateway.url}/inspector/`)
  expect(framed).toBe(false)
})
