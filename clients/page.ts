import type { Outcome } from './checks.ts'
import type { Client } from './client.ts'
import { markdownTable } from '../bench/markdown-table.ts'

export interface Row {
  readonly client: Client
  readonly outcome?: Outcome
}

const about = `# Clients

Written by \`npm run -s clients -- --write\`; do not edit.

Each of these is the real one, from the npm registry, in a home folder of its own. It works on a copy of \`examples/repo\` for a model that plays
[examples/coding-job.script.json](../examples/coding-job.script.json) with whatever tools it has: once as it is, once started by \`prehend wrap --policy thrifty\`, or, in process, with the integration of [frameworks.md](frameworks.md), and
everything is streamed. In the second run the model brings originals back as well,
and in both it writes early results into files as they are shown to it by then, which is shortened in the second; the files must be whole. The run fails where the files at the end are not the same, where the client sees a call of ours, where nothing is packed, or where a receipt
does not give its reasons or cannot be compiled again to the same bytes.

Tokens are those of all prompts that the provider read, cached ones and hidden rounds included: a small repository and a short job; what sessions of real length save is in [benchmarks.md](benchmarks.md).
`

/** The page of all clients and what came of their jobs. */
export function page(rows: readonly Row[]): string {
  const run = rows.filter(({ client }) => client.notRun === undefined)
  const table = markdownTable(run.map(rowOf))
  const pointing = markdownTable(
    rows.map(({ client }) => ({ 'client': client.name, 'what it needed to be pointed here': pointingOf(client) })),
  )
  return [about, table, ...troubles(rows), '## Pointing them here', pointing, '']
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

function rowOf({ client, outcome }: Row): Readonly<Record<string, string>> {
  const {
    turns = 0,
    tokensWithout = 0,
    tokensWith = 0,
    epochs = 0,
    hiddenCalls = 0,
    madeWhole = 0,
    sameFiles,
    sawHidden,
  } = outcome ?? {}
  const fails = client.fails !== undefined
  return {
    'client': client.name,
    'package': packageOf(client),
    'dialect': client.dialect,
    'turns': String(turns),
    'tokens without': String(tokensWithout),
    'with': String(tokensWith),
    'saved': tokensWithout === 0 ? 'n/a' : `${((100 * (tokensWithout - tokensWith)) / tokensWithout).toFixed(0)}%`,
    'epochs': String(epochs),
    'same files': sameFiles === true && !fails ? 'yes' : 'no',
    'copies made whole': String(madeWhole),
    'calls of ours, seen': `${hiddenCalls}, ${sawHidden === true ? 'yes' : 'none'}`,
  }
}

/** The client's own package, with its version. */
export function packageOf({ packages }: Client): string {
  const [[name, version] = []] = Object.entries(packages)
  return `${name} ${version}`
}

function troubles(rows: readonly Row[]): readonly string[] {
  const lines = rows.flatMap(({ client }) => {
    const { notRun, fails } = client
    if (notRun !== undefined) return [`- ${client.name} (${packageOf(client)}, ${client.dialect}), not run: ${notRun}`]
    return fails === undefined ? [] : [`- ${client.name} (${client.dialect}) fails: ${fails}`]
  })
  return lines.length === 0 ? [] : ['## What does not work', lines.join('\n')]
}

function pointingOf({ pointedBy, needsInstallScripts = false }: Client): string {
  return needsInstallScripts
    ? `${pointedBy}; installed with the scripts of its packages, which place its program`
    : pointedBy
}
