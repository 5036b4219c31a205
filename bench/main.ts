import { spawnSync } from 'node:child_process'

interface Program {
  readonly name: string
  readonly file: string
  readonly measures: string
  readonly arguments?: readonly string[]
}

const data = '../shared/data'

/** Every measurement of `docs/benchmarks.md`, in the order of that page. */
const programs: readonly Program[] = [
  {
    name: 'replay',
    file: 'src/cli/main.ts',
    measures: 'cost, cache and retention on recorded sessions, for every strategy',
    arguments: ['replay', `${data}/swe-traces/lite_test_a.jsonl`, `${data}/coding-sessions/pi_sessions.jsonl`],
  },
  { name: 'packing', file: 'bench/packing.ts', measures: 'packing 2,000 and 8,000 items, beside other packers' },
  {
    name: 'gateway',
    file: 'bench/gateway.ts',
    measures: 'requests per second and added latency, beside a bare proxy and a peer',
  },
  { name: 'tokenizers', file: 'bench/tokenizers.ts', measures: 'megabytes per second, beside the reference' },
  {
    name: 'calibration',
    file: 'bench/calibration.ts',
    measures: 'error of prompt-token estimates against reported usage',
  },
  { name: 'ladders', file: 'bench/ladders.ts', measures: 'tokens and needles at every rung, by kind of content' },
  { name: 'codecs', file: 'bench/codecs.ts', measures: 'decoding, encoding and streams of large bodies' },
]

function help(): string {
  const rows = programs.map(({ name, measures }) => `  ${name.padEnd(12)} ${measures}`)
  return ['Usage: npm run bench -- [NAME…]', '', 'Runs all of these, or those that are named:', ...rows].join('\n')
}

function main(names: readonly string[]): number {
  if (names.some((name) => name === '--help' || name === '-h')) {
    console.log(help())
    return 0
  }
  const unknown = names.filter((name) => !programs.some((program) => program.name === name))
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: not a benchmark.\n\n${help()}`)
    return 2
  }
  for (const { name, file, arguments: values = [] } of programs) {
    if (names.length > 0 && !names.includes(name)) continue
    console.log(`\n# ${name}\n`)
    const { status } = spawnSync(process.execPath, [file, ...values], { stdio: 'inherit' })
    if (status !== 0) return status ?? 1
  }
  return 0
}

process.exitCode = main(process.argv.slice(2))
