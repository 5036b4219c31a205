// Examines every page of the inspector in both themes and at both widths, and prints a table. usage: npm run -s accessibility
import { allPaths, examined, settle } from './accessibility-rules.ts'
import type { Examined } from './accessibility-rules.ts'
import { exampleRun, refusedRequest } from './example-run.ts'
import { startGateway } from './gateway.ts'
import { openBrowser, openPage } from './pages.ts'

const themes = ['light', 'dark'] as const
const widths = [1280, 400] as const
const session = 'fix-stocktake'

const [gateway, browser] = await Promise.all([startGateway(['--policy', 'careful']), openBrowser()])
const found = new Map<string, Examined[]>()
try {
  await exampleRun(gateway.url, { session, steps: 40 })
  await refusedRequest(gateway.url)
  const paths = await allPaths(gateway.url, session)
  for (const colorScheme of themes)
    for (const width of widths) {
      const { page } = await openPage(browser, { colorScheme, viewport: { width, height: 900 } })
      for (const path of paths) {
        await page.goto(`${gateway.url}/inspector/${path}`)
        await settle(page)
        const name = path.replace(/req_\w+/, 'ID').replace(/\d{12}/, 'HANDLE')
        found.set(name, [...(found.get(name) ?? []), await examined(page)])
      }
      await page.context().close()
    }
} finally {
  await browser.close()
  await gateway.close()
}

console.log('| page | rules kept | violations | least contrast | scrolls sideways |')
console.log('| --- | --: | --: | --: | --- |')
for (const [name, runs] of found) {
  const kept = new Set(runs.flatMap(({ passes }) => passes)).size
  const violations = runs.flatMap((run) => run.violations)
  const contrast = Math.min(...runs.map(({ leastContrast = Infinity }) => leastContrast))
  const isWider = runs.some((run) => run.isWider)
  console.log(`| \`/${name}\` | ${kept} | ${violations.length} | ${contrast.toFixed(1)} | ${isWider ? 'yes' : 'no'} |`)
  for (const violation of new Set(violations)) console.error(`${name}: ${violation}`)
}
if ([...found.values()].flat().some(({ violations, isWider }) => violations.length > 0 || isWider)) process.exitCode = 1
