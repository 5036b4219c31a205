// Packs the package, installs it into an empty project and uses all of it there: every entry by import and by require, types,
// the command, in bundles, in a browser and in an edge worker, on each Node that it promises to run on.
// usage: node scripts/release-check.ts [--quick], which is for this Node alone and loads nothing from a registry but what the package needs
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packedApp } from './release/app.ts'
import { checkBrowser, checkBundles, checkBundleSizes, checkEdge } from './release/bundles.ts'
import { checkCommand, checkNpx, checkOldNode } from './release/command.ts'
import { checkEntries } from './release/entries.ts'
import { installNode } from './release/nodes.ts'
import { checkPublish } from './release/publish.ts'
import { checkTypes } from './release/types.ts'

let failed = 0

/** Does one step and says how it went; what one of them gives up, the others go on with. */
async function step<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result | undefined> {
  const started = performance.now()
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(1)} s`.padStart(8)
  try {
    const result = await work()
    console.log(`ok   ${name.padEnd(14)} ${seconds()}  ${typeof result === 'string' ? result : ''}`.trimEnd())
    return result
  } catch (error) {
    failed += 1
    console.log(`FAIL ${name.padEnd(14)} ${seconds()}\n${error instanceof Error ? error.message : String(error)}`)
    return undefined
  }
}

/** Entries that also run on Node 20, although `engines` does not promise it. */
const library = ['prehend', 'prehend/mcp', 'prehend/ai-sdk', 'prehend/langchain', 'prehend/governor', 'prehend/inspect']

const quick = process.argv.includes('--quick')
const folder = mkdtempSync(join(tmpdir(), 'prehend-release-'))
try {
  const app = await step('install', () => packedApp(folder))
  if (app !== undefined) {
    await step('publish', () => checkPublish())
    await step('types', () => checkTypes(app))
    await step('bundles', () => checkBundles(app, join(folder, 'elsewhere')))
    await step('sizes', () => checkBundleSizes(app))
    await step('entries', () => checkEntries(app, process.execPath))
    await step('command', () => checkCommand(app, process.execPath))
    await step('npx', () => checkNpx(app, process.execPath))
    if (!quick) {
      await step('browser', () => checkBrowser(app, join(folder, 'browser')))
      await step('edge', () => checkEdge(app, join(folder, 'edge')))
      for (const versions of [[`${app.leastNode}.0`, '22'], ['24'], ['26', '25']]) {
        const node = await step(`Node ${versions[0]}`, () => installNode(folder, versions))
        if (node === undefined) continue
        await step(node.version, () => checkEntries(app, node.file))
        await step(node.version, () => checkCommand(app, node.file))
        await step(node.version, () => checkNpx(app, node.file))
      }
      for (const version of ['20', '18', '16']) {
        const node = await step(`Node ${version}`, () => installNode(folder, [version]))
        if (node === undefined) continue
        await step(node.version, () => checkOldNode(app, node.file))
        if (version === '20') await step(node.version, () => checkEntries({ ...app, entries: library }, node.file))
      }
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
console.log(failed === 0 ? 'fit to be released' : `not fit to be released: ${failed} steps failed`)
process.exitCode = failed === 0 ? 0 : 1
