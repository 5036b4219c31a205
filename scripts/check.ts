// Runs every rule a machine can check, or the named ones. usage: node scripts/check.ts [STEP…]
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

interface Step {
  readonly name: string
  readonly about: string
  /** A file run on this Node, and its arguments. */
  readonly command: readonly string[]
}

interface Finished {
  readonly code: number
  readonly output: string
  readonly seconds: string
}

const root = resolve(import.meta.dirname, '..')
const folders = ['src', 'bench', 'browser', 'clients', 'servers', 'scripts', 'site', 'inspector/src'].filter((folder) =>
  existsSync(resolve(root, folder)),
)
const tsc = 'node_modules/typescript/bin/tsc'

const steps: readonly Step[] = [
  { name: 'types', about: 'TypeScript, everything', command: [tsc, '-p', 'tsconfig.json'] },
  { name: 'pure', about: 'core, ladders, compiler without Node or DOM', command: [tsc, '-p', 'tsconfig.pure.json'] },
  { name: 'page', about: "the inspector's types", command: [tsc, '-p', 'inspector/tsconfig.json'] },
  { name: 'browser', about: 'types of what tries it', command: [tsc, '-p', 'browser/tsconfig.json'] },
  {
    name: 'lint',
    about: 'oxlint, type-aware',
    command: ['node_modules/oxlint/bin/oxlint', '--deny-warnings'],
  },
  { name: 'format', about: 'oxfmt', command: ['node_modules/oxfmt/bin/oxfmt', '--check', '.'] },
  {
    name: 'rooms',
    about: 'import table, front doors, cycles',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.cjs',
      ...folders,
    ],
  },
  {
    name: 'folders',
    about: 'folders of a room import each other one way',
    command: [
      'node_modules/dependency-cruiser/bin/dependency-cruiser.mjs',
      '--config',
      '.dependency-cruiser.folders.cjs',
      'src',
    ],
  },
  { name: 'dead', about: 'unused files, exports, dependencies', command: ['node_modules/knip/bin/knip.js'] },
  { name: 'requirements', about: 'numbers that tests cite, and their page', command: ['scripts/requirements.ts'] },
  { name: 'data', about: 'vocabularies and prices as published', command: ['scripts/published-data.ts'] },
  { name: 'crossings', about: 'docs/crossings.md is what codecs do', command: ['scripts/crossings.ts', '--check'] },
  {
    name: 'answers',
    about: "the inspector's types of what routes answer",
    command: ['scripts/inspector-types.ts', '--check'],
  },
  { name: 'prose', about: 'sentences that are hard to read', command: ['scripts/prose.ts'] },
  { name: 'lock', about: 'lockfile complete and portable', command: ['scripts/lockfile.ts'] },
  { name: 'package', about: 'build, exports, publint', command: ['scripts/check-package.ts'] },
]

function runStep(step: Step): Promise<Finished> {
  const started = performance.now()
  const child = spawn(process.execPath, [...step.command], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer): void => void (output += chunk.toString())
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  return new Promise((done, fail) => {
    child.on('error', fail)
    child.on('close', (code) => {
      done({ code: code ?? 1, output, seconds: ((performance.now() - started) / 1000).toFixed(1) })
    })
  })
}

function report(step: Step, finished: Finished): void {
  const mark = finished.code === 0 ? 'ok  ' : 'FAIL'
  console.log(`${mark} ${step.name.padEnd(12)} ${finished.seconds.padStart(5)} s  ${step.about}`)
  if (finished.code !== 0) console.log(`${finished.output.trimEnd()}\n`)
}

/** Two at a time, reported in order. */
async function runAll(selected: readonly Step[]): Promise<number> {
  const running: Promise<Finished>[] = []
  let failed = 0
  for (const [index, step] of selected.entries()) {
    running[index] ??= runStep(step)
    const next = selected[index + 1]
    if (next) running[index + 1] = runStep(next)
    const finished = await running[index]
    report(step, finished)
    if (finished.code !== 0) failed += 1
  }
  return failed
}

const names = process.argv.slice(2)
const unknown = names.filter((name) => !steps.some((step) => step.name === name))
if (unknown.length > 0) {
  console.error(`unknown step ${unknown.join(', ')}; there are ${steps.map((step) => step.name).join(', ')}`)
  process.exit(2)
}
const selected = names.length === 0 ? steps : steps.filter((step) => names.includes(step.name))
const failed = await runAll(selected)
console.log(
  failed === 0
    ? `check passed: ${selected.length} of ${selected.length} steps`
    : `check failed: ${failed} of ${selected.length} steps`,
)
process.exitCode = failed === 0 ? 0 : 1
