// Checks that every SDK reads what the simulated provider, and a gateway that writes replies itself, answer.
// usage: node clients/sdks/main.ts [--write] [GROUP…]
//   --write writes docs/sdks.md
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installPython } from '../install-python.ts'
import { installPackages } from '../install.ts'
import { ask, pythonReaderFiles, readerFiles } from './ask.ts'
import type { Asked } from './ask.ts'
import { newestOn, sdkGroups } from './matrix.ts'
import type { SdkGroup } from './matrix.ts'
import { sdkPage } from './page.ts'
import { pythonModelProblems } from './python-models.ts'
import { pythonPageProblems } from './python-pages.ts'
import { openServers } from './servers.ts'

const atOnce = 2
/** What programs of pages import beside their SDK. */
const alsoOnPages = { httpx: '0.28.1' }
const place = join(import.meta.dirname, '../.installed/sdks')
const pageFile = join(import.meta.dirname, '../../docs/sdks.md')
const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean', default: false } },
})
const chosen = sdkGroups.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const servers = await openServers()
let failures = 0

async function check(group: SdkGroup): Promise<void> {
  const started = performance.now()
  try {
    const folder = await installed(group)
    for (const asked of await ask(group, folder, servers)) report(asked, group)
    if (group.language === 'python') await checkPrograms(group, folder)
  } catch (error) {
    failures += 1
    console.log(`FAIL ${group.name}: ${error instanceof Error ? error.message : String(error)}`)
  }
  console.log(`     ${group.name}: ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

async function checkPrograms({ name, reader }: SdkGroup, folder: string): Promise<void> {
  reportPrograms(`${name}: the programs of docs`, await pythonPageProblems(reader, folder, servers.usual))
  reportPrograms(`${name}: models of Pydantic`, await pythonModelProblems(reader, folder, servers.usual))
}

function installed(group: SdkGroup): Promise<string> {
  if (group.language === 'python') {
    const packages = { ...group.packages, ...alsoOnPages }
    return installPython({ ...group, packages, place, files: pythonReaderFiles })
  }
  return installPackages({ ...group, place, asOf: newestOn, files: readerFiles })
}

function reportPrograms(checked: string, problems: readonly string[]): void {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${checked}`)
  for (const problem of problems) console.log(`     ${problem}`)
  failures += problems.length
}

function report({ target, replies, problems }: Asked, { packages, language }: SdkGroup): void {
  const { sdk, api, model, behind } = target
  const way = behind === undefined ? model : `${model} behind ${behind}`
  const state = problems.length === 0 ? 'ok  ' : 'FAIL'
  console.log(
    `${state} ${`${sdk} ${packages[sdk]}${language === 'python' ? ' (Python)' : ''}`.padEnd(38)} ${api.padEnd(10)} ${way.padEnd(44)} ${replies} replies`,
  )
  for (const problem of problems) console.log(`     ${problem}`)
  failures += problems.length
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130))

const waiting = [...chosen]
async function work(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(next)
}
try {
  await Promise.all(Array.from({ length: atOnce }, work))
} finally {
  await servers.close()
}
if (values.write) writeFileSync(pageFile, sdkPage())
else if (readFileSync(pageFile, 'utf8') !== sdkPage()) {
  failures += 1
  console.log('docs/sdks.md is not what is checked; npm run -s sdks -- --write')
}
console.log(failures === 0 ? 'every SDK reads every reply' : `${failures} replies were not read as they were written`)
process.exitCode = failures === 0 ? 0 : 1
