import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { onlyUpstream, openGateway, parseConfig, silentLogger } from '../src/gateway/index.ts'
import type { Gateway } from '../src/gateway/index.ts'
import { fetchUpstream, simulatedProvider } from '../src/providers/index.ts'
import { memoryStore } from '../src/stores/index.ts'
import { printedBy } from './printed-by.fixture.ts'
import { programsIn, usualUrl } from './page-programs.ts'

const root = resolve(import.meta.dirname, '..')
/** Those that pack in process are examples of `doc-examples.test.ts`. */
const programs = globSync('docs/{use-with,compare}/*.md', { cwd: root })
  .toSorted()
  .flatMap((page) => programsIn(join(root, page), 'ts').map((program, index) => ({ page, index, ...program })))
  .filter(({ code }) => !code.includes("from 'prehend"))

/** Inside the checkout, where packages are found. */
const folder = mkdtempSync(join(root, '.doc-examples-'))
let gateway: Gateway
beforeAll(async () => {
  const { fetch } = simulatedProvider({ strict: false })
  const upstreams = onlyUpstream(fetchUpstream({ name: 'simulated', origin: 'http://simulated', fetch }))
  gateway = await openGateway(parseConfig({ port: 0 }), { store: memoryStore(), upstreams, logger: silentLogger })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await gateway.close()
})

it('there are programs that ask through the gateway', () => {
  expect(programs.length).toBeGreaterThan(6)
})

it.each(programs)('$page, program $index, prints what the page says', async ({ page, index, code, prints }) => {
  const file = join(folder, `${page.replace(/\W+/g, '-')}-${index}.ts`)
  writeFileSync(file, code.replaceAll(usualUrl, gateway.url))
  const printed = await printedBy(file)
  if (prints === undefined) expect(printed).toContain('You said: Why does the build fail?')
  else expect(printed).toBe(prints)
})
