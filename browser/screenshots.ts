// Makes the pictures of the inspector in the documents, from the recorded example, or with --every OUT_DIR all pages at both widths and in both themes.
// usage: npm run -s screenshots [-- OUT_DIR | --every OUT_DIR]
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser } from 'playwright-core'
import { exampleRun } from './example-run.ts'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const isEvery = process.argv[2] === '--every'
const outDir = resolve(process.argv[isEvery ? 3 : 2] ?? join(import.meta.dirname, '../docs/inspector'))

/** A picture that is larger takes too long to load beside a text. */
const mostBytes = 150_000

interface Picture {
  readonly name: string
  /** Below the page's own address. */
  readonly path: string
  readonly colorScheme?: 'light' | 'dark'
  readonly width?: number
  /** Less for pages full of text, so that the picture stays small. */
  readonly height?: number
  /** The whole page, however long. */
  readonly isWhole?: boolean
}

const session = 'fix-stocktake'

/** `request` is the example's last. */
const pictures = (request: string): readonly Picture[] => [
  { name: 'overview', path: '', height: 900 },
  { name: 'sessions', path: 'sessions' },
  { name: 'session', path: `sessions/${session}` },
  { name: 'request', path: `requests/${request}?show=shortened`, height: 520 },
  { name: 'decisions', path: `requests/${request}?tab=decisions&sort=-less`, height: 660 },
  { name: 'budget', path: `requests/${request}?tab=budget` },
  { name: 'before', path: `requests/${request}?tab=before`, height: 680 },
  { name: 'compare', path: `requests/${request}?tab=compare&policy=careful`, height: 840 },
  { name: 'bytes', path: `requests/${request}?tab=bytes` },
  { name: 'failures', path: 'failures' },
  { name: 'what-if', path: 'what-if' },
  { name: 'tools', path: 'tools' },
  { name: 'artifacts', path: 'artifacts' },
  { name: 'policies', path: 'policies' },
  { name: 'policy', path: 'policies/thrifty' },
  { name: 'budgets', path: 'budgets' },
  { name: 'tenant', path: 'tenants/default' },
  { name: 'health', path: 'health' },
  { name: 'tail', path: 'tail', height: 600 },
  { name: 'session-dark', path: `sessions/${session}`, colorScheme: 'dark' },
  { name: 'request-dark', path: `requests/${request}?show=shortened`, colorScheme: 'dark', height: 520 },
  { name: 'overview-narrow', path: '', width: 400 },
  { name: 'compare-narrow', path: `requests/${request}?tab=compare&policy=careful`, width: 400 },
  { name: 'tools-narrow', path: 'tools', width: 400 },
  { name: 'session-narrow', path: `sessions/${session}`, width: 400 },
]

/** Every page: those of the documents, and those that say little without an operator. */
const everyPage = (request: string): readonly Picture[] => {
  const pages = pictures(request).filter(({ colorScheme, width }) => colorScheme === undefined && width === undefined)
  const more = ['keys', 'audit', 'tenants', 'search?q=dates', 'artifacts/tasks/stocktake/step-1/response.md', 'nowhere']
  const all = [...pages, ...more.map((path) => ({ name: path.replaceAll(/\W+/g, '-'), path }))]
  return all.flatMap(({ name, path }) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [1280, 400].map((width) => ({
        name: `${name}-${width}-${colorScheme}`,
        path,
        colorScheme,
        width,
        isWhole: true,
      })),
    ),
  )
}

async function take(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { name, path, colorScheme = 'light', width = 1280, height = 720, isWhole: fullPage = false } = picture
  const { page, problems } = await openPage(browser, { colorScheme, viewport: { width, height } })
  await page.goto(`${url}/inspector/${path}`)
  await page.locator('.page').waitFor()
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
  await page.waitForTimeout(300)
  const file = join(outDir, `${name}.png`)
  await page.screenshot({ path: file, fullPage })
  await page.context().close()
  const { size } = statSync(file)
  if (!isEvery && size > mostBytes) throw new Error(`${file} has ${size} bytes, more than ${mostBytes}`)
  if (problems.length > 0) throw new Error(`${path}: ${problems.join('; ')}`)
  console.log(`${name}.png, ${size} bytes`)
}

/** What an operator looks at: limits, and stored results of steps. */
const budgets = { usdPerDay: 20, usdPerMonth: 400, requestsPerDay: 50, requestsPerMinute: 600 }

async function putArtifact(url: string, path: string, text: string): Promise<void> {
  const headers = { 'content-type': path.includes('.json') ? 'application/json' : 'text/markdown' }
  const body = `${text}\n`
  const put = await fetch(`${url}/v1/artifacts/tasks/stocktake/${path}`, { method: 'PUT', headers, body })
  if (put.status !== 201) throw new Error(`${path}: it was answered ${put.status}`)
}

mkdirSync(outDir, { recursive: true })
const folder = mkdtempSync(join(tmpdir(), 'prehend-screenshots-'))
const config = join(folder, 'config.json')
writeFileSync(config, JSON.stringify({ budgets }))
const [gateway, browser] = await Promise.all([startGateway(['--policy', 'careful', '--config', config]), openBrowser()])
try {
  await exampleRun(gateway.url, { session, steps: 46 })
  await putArtifact(gateway.url, 'step-1/response.md', 'Three tests fail, all for dates.')
  await putArtifact(gateway.url, 'step-1/response.md', 'Three tests fail, all for dates in March.')
  await putArtifact(gateway.url, 'step-1/manifest.json?class=manifest', '{}')
  await putArtifact(gateway.url, 'step-2/diff.md?class=raw', '+ parse(date, zone)')
  const answer = await fetch(`${gateway.url}/v1/packs?limit=1`)
  const { data } = (await answer.json()) as { readonly data: readonly { readonly requestId: string }[] }
  for (const picture of (isEvery ? everyPage : pictures)(data[0]?.requestId ?? ''))
    await take(browser, gateway.url, picture)
} finally {
  await browser.close()
  await gateway.close()
  rmSync(folder, { recursive: true })
}
