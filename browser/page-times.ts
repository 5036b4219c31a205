// How soon each page of the inspector stands in Chromium, and answers a click or a key, where the store holds a million requests: the one
// that `node bench/stats.ts --data FOLDER` has left. usage: node browser/page-times.ts --data FOLDER [--rounds 7] [--only NAME]
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '7' },
    only: { type: 'string', default: '' },
  },
})
if (values.data === undefined)
  throw new Error('--data is missing: the folder that node bench/stats.ts --data FOLDER has filled')

/** A page, what is on it when it stands, and what somebody does there. */
interface Measured {
  readonly name: string
  /** Below the page's own address. */
  readonly path: string
  /** What is in the document when the page can be used. */
  readonly stands: string
  readonly act?: { readonly name: string; readonly code: string; readonly done: string }
}

/** Of the longest session, which has 10,000 requests. */
const longest = 'sessions/session-1'

const pages = (request: string): readonly Measured[] => [
  {
    name: 'Overview, all time',
    path: '?days=all',
    stands: '.figure .value, .figure dd',
    act: {
      name: 'the last 24 hours',
      code: `globalThis.before = document.querySelector('.figures').textContent; const box = document.querySelector('.page select'); box.value = '1'; box.dispatchEvent(new Event('change', { bubbles: true }))`,
      done: `document.querySelector('.figures')?.textContent !== globalThis.before`,
    },
  },
  {
    name: 'Sessions, the newest',
    path: 'sessions',
    stands: 'tbody tr:nth-child(50)',
    act: {
      name: 'sorted by what was saved',
      code: `[...document.querySelectorAll('th button, th a')].find((one) => one.textContent.includes('Saved')).click()`,
      done: `document.querySelector('th[aria-sort]:not([aria-sort=none])')`,
    },
  },
  {
    name: 'Session of 10,000 requests',
    path: longest,
    stands: '.timeline-row:not([aria-busy])',
    act: {
      name: 'scrolled to its midst',
      code: `document.querySelector('.timeline .virtual').scrollTop = 5000 * 34`,
      done: `document.querySelector('.timeline-row[aria-rowindex="5001"]:not([aria-busy])')`,
    },
  },
  {
    name: 'Session of 50 requests',
    path: 'sessions/session-9000',
    stands: '.timeline-row:not([aria-busy])',
    act: {
      name: 'to its last request',
      code: `const table = document.querySelector('.timeline'); table.focus(); table.dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }))`,
      done: `document.querySelector('.timeline-row[aria-rowindex="50"][aria-selected=true]:not([aria-busy])')`,
    },
  },
  {
    name: 'Request, what the model saw',
    path: `requests/${request}`,
    stands: '.conversation[aria-busy=false]',
    act: {
      name: 'its decisions',
      code: `[...document.querySelectorAll('.tabs a')].find((one) => one.textContent === 'Decisions').click()`,
      done: `document.querySelector('tbody tr .chip')`,
    },
  },
  { name: 'Request, against the one before', path: `requests/${request}?tab=before`, stands: '.tabs + *' },
  { name: 'Request, bytes', path: `requests/${request}?tab=bytes`, stands: '.tabs ~ .panel' },
  { name: 'Failures', path: 'failures', stands: 'tbody tr:nth-child(50)' },
  { name: 'What if', path: 'what-if', stands: '.page form, .page .panel' },
  { name: 'Policies', path: 'policies', stands: 'tbody tr, .page .panel' },
  { name: 'Health', path: 'health', stands: '.page .panel' },
  { name: 'Tail', path: 'tail', stands: '.page .panel, .page .empty, .page table, .page [role=table]' },
  { name: 'Search for a session', path: 'search?q=session-90', stands: '.page .panel a' },
]

/** Runs on the page: notes when it stood at the next frame, which is when it is seen. */
const watched = (stands: string): string => `
  const look = () => {
    if (document.querySelector(${JSON.stringify(stands)}) && !document.querySelector('.waiting')) globalThis.stoodMs = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
`

/** Milliseconds from what somebody does to the frame that shows what came of it. */
const acted = (code: string, done: string): string => `new Promise((told) => {
  const began = performance.now();
  ${code};
  const look = () => ((${done}) ? told(performance.now() - began) : requestAnimationFrame(look))
  requestAnimationFrame(look)
})`

async function stood(page: Page): Promise<number> {
  for (;;) {
    const ms: unknown = await page.evaluate('globalThis.stoodMs')
    if (typeof ms === 'number') return ms
    await page.waitForTimeout(20)
  }
}

const cells = (times: readonly number[]): string => {
  const sorted = times.toSorted((a, b) => a - b)
  return `${sorted[0]?.toFixed(0)} | ${sorted[sorted.length >> 1]?.toFixed(0)}`
}

// What was written as a month of traffic is not removed with age.
const folder = mkdtempSync(join(tmpdir(), 'prehend-page-times-'))
const config = join(folder, 'prehend.json')
writeFileSync(
  config,
  JSON.stringify({ retention: { sessionIdleDays: 3650, receiptDays: 3650, maxReceipts: 10_000_000 } }),
)
const given = ['--data', resolve(values.data), '--config', config]
const [gateway, browser] = await Promise.all([startGateway(given), openBrowser()])
const answer = await fetch(`${gateway.url}/v1/packs?session=real&limit=1`)
const { data } = (await answer.json()) as { readonly data: readonly { readonly requestId: string }[] }
console.log(`Milliseconds, least and median of ${values.rounds} rounds, each in a window of its own\n`)
console.log('| page | least | median | then | least | median |\n| --- | --: | --: | --- | --: | --: |')
for (const { name, path, stands, act } of pages(data[0]?.requestId ?? '')) {
  if (!name.includes(values.only)) continue
  const [loads, acts]: [number[], number[]] = [[], []]
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const { page, problems } = await openPage(browser)
    await page.addInitScript(watched(stands))
    await page.goto(`${gateway.url}/inspector/${path}`)
    loads.push(await stood(page))
    if (act) acts.push(await page.evaluate<number>(acted(act.code, act.done)))
    if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}`)
    await page.context().close()
  }
  console.log(`| ${name} | ${cells(loads)} | ${act ? `${act.name} | ${cells(acts)}` : ' | | '} |`)
}
await browser.close()
await gateway.close()
rmSync(folder, { recursive: true })
