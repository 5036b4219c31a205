// How soon a request of 180,000 tokens stands on its page in Chromium: the first that anybody looks at after the gateway has begun, and
// the same once more. usage: npm run -s bench -- first-open, or node browser/first-open.ts [--rounds 5] [--idle-ms 4000]
// With --idle-ms 0 somebody looks as soon as the gateway answers.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const { values } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== 'first-open'),
  options: { 'rounds': { type: 'string', default: '5' }, 'idle-ms': { type: 'string', default: '4000' } },
})

/** When what stood on the page, in milliseconds from when its address was opened. */
interface Stood {
  readonly figures: number
  readonly items: number
  readonly whole: number
}

const moments = ['figures', 'items', 'whole'] as const

const steps = 73

/** A session in which an agent has read 73 files of about 2,450 tokens each. */
async function send(url: string): Promise<string> {
  const messages = Array.from({ length: steps }, (_, step) => [
    {
      role: 'user',
      content:
        step === 0
          ? 'Find the value.'
          : [{ type: 'tool_result', tool_use_id: `toolu_${step - 1}`, content: fileText(step) }],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: `toolu_${step}`, name: 'read', input: { path: `f${step}` } }],
    },
  ])
  const last = [{ type: 'tool_result', tool_use_id: `toolu_${steps - 1}`, content: 'That was the last one.' }]
  const response = await fetch(`${url}/v1/messages`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'anthropic-version': '2023-06-01', 'x-session-id': 'large' },
    body: JSON.stringify({
      model: 'claude-sonnet-4-6',
      max_tokens: 10,
      messages: [...messages.flat(), { role: 'user', content: last }],
    }),
  })
  await response.arrayBuffer()
  return response.headers.get('x-prehend-request-id') ?? ''
}

function fileText(step: number): string {
  const line = (at: number): string =>
    `  const total${at} = sumOf(invoices.filter(({ customer }) => customer === '${step}-${at}')) // line ${at} of ${step}`
  return Array.from({ length: 81 }, (_, at) => line(at)).join('\n')
}

async function look(browser: Browser, address: string): Promise<Stood> {
  const { page, problems } = await openPage(browser)
  await page.addInitScript(watchPage)
  await page.goto(address)
  await page.locator('.conversation[aria-busy=false]').waitFor()
  // Noted at the frame that follows.
  await page.waitForTimeout(200)
  const found: Stood = await page.evaluate('globalThis.stood')
  await page.context().close()
  if (problems.length > 0) throw new Error(problems.join('; '))
  return found
}

/** Runs on the page: notes when something was in it at the next frame, which is when it is seen. */
const watchPage = `
  const signs = { figures: '.figure', items: '.conversation .entry', whole: '.conversation[aria-busy=false] .entry' }
  globalThis.stood = {}
  const look = () => {
    for (const [name, selector] of Object.entries(signs))
      if (globalThis.stood[name] === undefined && document.querySelector(selector)) globalThis.stood[name] = performance.now()
    if (globalThis.stood.whole === undefined) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

function row(name: string, all: readonly Stood[]): string {
  const cells = moments.map((moment) => {
    const sorted = all.map((one) => one[moment]).toSorted((a, b) => a - b)
    return `${sorted[0]?.toFixed(0)}, ${sorted[sorted.length >> 1]?.toFixed(0)}`
  })
  return `| ${[name, ...cells].join(' | ')} |`
}

const data = mkdtempSync(join(tmpdir(), 'prehend-first-open-'))
const browser = await openBrowser()
const [first, again]: [Stood[], Stood[]] = [[], []]
try {
  const filled = await startGateway(['--data', data, '--policy', 'careful'])
  const id = await send(filled.url)
  const summary = (await (await fetch(`${filled.url}/v1/packs/${id}/summary`)).json()) as {
    readonly manifest: { readonly packTokens: number }
    readonly decisions: number
  }
  console.log(
    `A request of ${summary.manifest.packTokens} tokens in ${summary.decisions} items; milliseconds, least and median of ${values.rounds} rounds\n`,
  )
  await filled.close()
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const gateway = await startGateway(['--data', data])
    await new Promise((done) => setTimeout(done, Number(values['idle-ms'])))
    const address = `${gateway.url}/inspector/requests/${id}`
    first.push(await look(browser, address))
    again.push(await look(browser, address))
    await gateway.close()
  }
} finally {
  await browser.close()
  rmSync(data, { recursive: true, force: true })
}
console.log('| looked at | figures | first items | all of it |\n| --- | --: | --: | --: |')
console.log(row('the first time', first))
console.log(row('once more', again))
