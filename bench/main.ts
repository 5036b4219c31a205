import { spawnSync } from 'node:child_process'
import { programs } from './programs.ts'
import type { Program } from './programs.ts'

function help(): string {
  const rows = programs.map(({ name, measures }) => `  ${name.padEnd(12)} ${measures}`)
  const usage = 'Usage: npm run bench -- [NAME…], or npm run bench -- NAME OPTIONS'
  return [usage, '', 'Runs all of these, or those that are named:', ...rows].join('\n')
}

function main(argv: readonly string[]): number {
  const end = argv.findIndex((one) => one.startsWith('-'))
  const names = end < 0 ? argv : argv.slice(0, end)
  const options = end < 0 ? [] : argv.slice(end)
  const [option] = options
  if (names.length === 0 && (option === '--help' || option === '-h')) {
    console.log(help())
    return 0
  }
  if (names.length !== 1 && option !== undefined) {
    console.error(`${option}: options go to a single benchmark.\n\n${help()}`)
    return 2
  }
  const unknown = names.filter((name) => !programs.some((program) => program.name === name))
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: not a benchmark.\n\n${help()}`)
    return 2
  }
  const chosen = programs.filter(({ name, guard }) => (names.length === 0 ? guard !== true : names.includes(name)))
  for (const program of chosen) {
    const status = run(options.length === 0 ? program : { ...program, runs: [options] })
    if (status !== 0) return status
  }
  return 0
}

/** Exit code of the first run that failed, else 0. */
function run({ name, file, runs = [[]] }: Program): number {
  const isJson = runs.some((values) => values.includes('--json'))
  if (!isJson) console.log(`\n# ${name}\n`)
  for (const values of runs) {
    const { status } = spawnSync(process.execPath, [file, ...values], { stdio: 'inherit' })
    if (status !== 0) return status ?? 1
  }
  return 0
}

process.exitCode = main(process.argv.slice(2))
