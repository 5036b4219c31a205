// Keeps the inspector open while agents work, and tells what its pages hold of memory, minute by minute: of each page's heap after a
// forced collection, its nodes and its listeners. usage: npm run -s bench -- live-page, or node browser/live-page.ts [--minutes 60]
// [--agents 4] [--pause-ms 2000] [--out FILE]
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const { values } = parseArgs({
  options: {
    'minutes': { type: 'string', default: '60' },
    'agents': { type: 'string', default: '4' },
    'pause-ms': { type: 'string', default: '2000' },
    'out': { type: 'string' },
  },
})
const minutes = Number(values.minutes)
const minuteMs = 60_000

/** Of a page after all that it does not hold was collected. */
interface Sample {
  readonly minute: number
  /** Of scripts, of the document and of what both hold outside their heaps. */
  readonly heapBytes: number
  readonly nodes: number
  readonly listeners: number
  /** Of the minute before: seconds in which the page was busy. */
  readonly busySeconds: number
}

interface Watched {
  readonly name: string
  readonly page: Page
  readonly tools: CDPSession
  readonly problems: readonly string[]
  readonly samples: Sample[]
  busyUntilNow: number
}

/** Each in a context of its own, hence in a process of its own. */
async function watch(browser: Browser, name: string, url: string): Promise<Watched> {
  const { page, problems } = await openPage(browser)
  await page.goto(url)
  await page.locator('.page').waitFor()
  const tools = await page.context().newCDPSession(page)
  await tools.send('Performance.enable')
  return { name, page, tools, problems, samples: [], busyUntilNow: 0 }
}

async function sample(watched: Watched, minute: number): Promise<void> {
  const { tools, samples } = watched
  await tools.send('HeapProfiler.collectGarbage')
  const { metrics } = await tools.send('Performance.getMetrics')
  const figure = (name: string): number => metrics.find((one) => one.name === name)?.value ?? 0
  const { usedSize, embedderHeapUsedSize, backingStorageSize } = await tools.send('Runtime.getHeapUsage')
  const busy = figure('TaskDuration')
  samples.push({
    minute,
    heapBytes: usedSize + embedderHeapUsedSize + backingStorageSize,
    nodes: figure('Nodes'),
    listeners: figure('JSEventListeners'),
    busySeconds: busy - watched.busyUntilNow,
  })
  watched.busyUntilNow = busy
}

/** Somebody who goes from page to page: what a page leaves behind when it is left shows here. */
async function walk(page: Page, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Saved', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: 'Sessions', exact: true }).first().click()
    await page.getByRole('link', { name: 'agent-1', exact: true }).click()
    await page.locator('.timeline-row a').first().click()
    await page.getByRole('heading', { name: 'What the model saw' }).waitFor()
    for (const tab of ['Decisions', 'Bytes']) await page.getByRole('link', { name: tab, exact: true }).click()
    await page.getByText('proven by its hash').waitFor()
    await page.waitForTimeout(4000)
  }
}

async function work(url: string, agent: number, signal: AbortSignal): Promise<void> {
  const pauseMs = Number(values['pause-ms'])
  // The first goes on under one name, so that one session grows long.
  for (let run = 1; !signal.aborted; run += 1)
    await exampleRun(url, { session: agent === 1 ? 'agent-1' : `agent-${agent}-${run}`, steps: 46, pauseMs, signal })
}

function told(all: readonly Watched[], minute: number): string {
  const cells = all.map(({ name, samples }) => {
    const { heapBytes, nodes, listeners, busySeconds } = samples.at(-1) as Sample
    return `${name} ${(heapBytes / 1e6).toFixed(1)} MB, ${nodes} nodes, ${listeners} listeners, busy ${busySeconds.toFixed(1)} s`
  })
  return `${String(minute).padStart(3)} min  ${cells.join('  |  ')}`
}

async function main(): Promise<void> {
  const [gateway, browser] = await Promise.all([startGateway(['--policy', 'thrifty']), openBrowser()])
  const ending = new AbortController()
  const { signal } = ending
  const agents = Array.from({ length: Number(values.agents) }, (_, index) => work(gateway.url, index + 1, signal))
  const home = `${gateway.url}/inspector/`
  await new Promise((done) => setTimeout(done, 10_000))
  const all = [
    await watch(browser, 'overview', home),
    await watch(browser, 'session', `${home}sessions/agent-1`),
    await watch(browser, 'tail', `${home}tail`),
    await watch(browser, 'walker', home),
  ]
  const walker = walk(all[3]?.page as Page, signal)
  let failure: Error | undefined
  walker.catch((error: unknown) => (failure = error as Error))
  for (let minute = 0; minute <= minutes; minute += 1) {
    for (const watched of all) await sample(watched, minute)
    console.log(told(all, minute))
    if (minute < minutes) await new Promise((done) => setTimeout(done, minuteMs))
    if (failure !== undefined) break
  }
  ending.abort()
  await Promise.allSettled([...agents, walker])
  const statistics = (await (await fetch(`${gateway.url}/v1/stats`)).json()) as { totals: { requests: number } }
  console.log(`${statistics.totals.requests} requests came through`)
  const curves = Object.fromEntries(all.map(({ name, samples, problems }) => [name, { samples, problems }]))
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(curves)}\n`)
  await browser.close()
  await gateway.close()
  if (failure) throw failure
}

await main()
