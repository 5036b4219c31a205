import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Every page and tab of the inspector, below its own address, on a gateway that has a session of this name; a refused request, where there is one, too. */
export async function allPaths(url: string, session: string): Promise<readonly string[]> {
  const newest = (await (await fetch(`${url}/v1/packs?session=${session}&limit=1`)).json()) as {
    readonly data: readonly { readonly requestId: string }[]
  }
  const id = newest.data[0]?.requestId ?? ''
  const { data: decisions } = (await (await fetch(`${url}/v1/packs/${id}/decisions`)).json()) as {
    data: { handle?: string }[]
  }
  const handle = decisions.find((decision) => decision.handle !== undefined)?.handle
  const failed = (await (await fetch(`${url}/v1/packs?failed=true&limit=1`)).json()) as typeof newest
  const tabs = ['conversation', 'decisions', 'budget', 'before', 'compare', 'compare&policy=thrifty', 'bytes']
  return [
    '',
    'sessions',
    `sessions/${session}`,
    ...tabs.map((tab) => `requests/${id}?tab=${tab}`),
    'failures',
    ...failed.data.map(({ requestId }) => `requests/${requestId}`),
    ...(handle === undefined ? [] : [`sessions/${session}/originals/${handle}`]),
    'what-if',
    'policies',
    'policies/careful',
    'tools',
    'artifacts',
    'artifacts/42/step-1/none.md',
    'keys',
    'budgets',
    'tenants',
    'tenants/default',
    'audit',
    'health',
    'tail',
    `search?q=${session}`,
    'nowhere',
  ]
}

export async function settle(page: Page): Promise<void> {
  await page.locator('.page').waitFor()
  await page.waitForFunction(() => document.querySelector('.waiting') === null)
  await page.waitForTimeout(150)
}

interface Found {
  readonly id: string
  readonly nodes: readonly {
    readonly target: readonly string[]
    readonly failureSummary: string
    readonly any: readonly { readonly id: string; readonly data?: { readonly contrastRatio?: number } | null }[]
  }[]
}

export interface Examined {
  /** Rules that apply to the page and are kept. */
  readonly passes: readonly string[]
  readonly violations: readonly string[]
  /** The least contrast of a text with its ground; undefined where none was measured. */
  readonly leastContrast: number | undefined
  /** Whether it has to be scrolled sideways. */
  readonly isWider: boolean
}

/** What the accessibility rules (WCAG 2.2 AA, and good practice) find on a page. */
export async function examined(page: Page): Promise<Examined> {
  // An entry that the browser has not laid out yet has the size of a guess, and its buttons lie outside it.
  await page.evaluate(() => {
    for (const entry of document.querySelectorAll<HTMLElement>('.entry')) entry.style.contentVisibility = 'visible'
  })
  await page.evaluate(axe)
  const { passes, violations }: { readonly passes: readonly Found[]; readonly violations: readonly Found[] } =
    await page.evaluate(
      `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
         .then(({ passes, violations }) => ({ passes, violations }))`,
    )
  const contrasts = [...passes, ...violations]
    .filter(({ id }) => id === 'color-contrast')
    .flatMap(({ nodes }) => nodes.flatMap(({ any }) => any.map(({ data }) => data?.contrastRatio ?? 0)))
    .filter((ratio) => ratio > 0)
  return {
    passes: passes.map(({ id }) => id),
    violations: violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary}`),
    ),
    leastContrast: contrasts.length === 0 ? undefined : Math.min(...contrasts),
    isWider: await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth),
  }
}
