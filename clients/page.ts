import type { Outcome } from './checks.ts'
import type { Client, Demo } from './client.ts'
import type { DemoOutcome } from './play-demo.ts'
import type { McpOutcome } from './play-mcp.ts'
import { markdownTable } from '../bench/markdown-table.ts'

export interface Row {
  readonly client: Client
  readonly outcome?: Outcome
}

/** One version of an agent as people run it. */
export interface DemoRow {
  readonly client: Client
  readonly demo: Demo
  /** The package and its version. */
  readonly label: string
  readonly outcome?: DemoOutcome
}

/** An agent that has the tools of a gateway by `prehend mcp`. */
export interface McpRow {
  readonly client: Client
  readonly outcome?: McpOutcome
}

const about = `# Clients

Written by \`npm run -s clients -- --write\`; do not edit.

Every client on this page is the real one from the npm registry, or from PyPI for Python, in a home folder of its own. CI runs all of them against the simulated provider.

## As people run them

\`prehend wrap --script example AGENT\`: the newest version of the agent that installs, the model that it takes by itself
(pi and Cline have none: gpt-5.1), the default policy, \`balanced\`. The simulated model plays [examples/coding-job.script.json](../examples/coding-job.script.json),
a coding job of 50 steps: it writes a small project into \`prehend-demo\`, runs its tests, mends two bugs, adds a part and runs the tests again.
The run fails where the job is not done, where another file has changed, where a receipt cannot be compiled again to the same bytes, or where packing saves less than 10%.
*Saved* is the share of the money that \`prehend sessions\` shows: cache marks and packing together, against what the agent's own requests would have cost.
*By packing* compares with the same requests with Prehend's cache marks, so it leaves out what the marks save. Where a model's prices are not known, both are shares of the tokens.
Alibaba also caches some requests without marks. The simulated provider does not, so *saved* is an upper bound for qwen3.5-plus.
`

const aboutChecks = `## Checked in detail

Pinned versions do a job on a copy of \`examples/repo\` twice: once without Prehend, and once started by \`prehend wrap --policy masked\` (Google ADK: \`thrifty\`) or,
in process, with the integration of [frameworks.md](frameworks.md) by \`thrifty\` (pi: \`masked\`). Everything is streamed. In the second run the model also brings originals back. In both runs it writes early results into files as
it is shown them by then; in the second run they are shortened, and the files must be whole all the same. The run fails where the files at the end differ, where the client sees a call of
Prehend's tool, where nothing is packed, or where a receipt does not give its reasons or cannot be compiled again to the same bytes.

Tokens are those of all prompts that the provider read, including cached ones and hidden rounds. [benchmarks.md](benchmarks.md) has what sessions of real length save.
`

const aboutMcp = `## With prehend mcp

The agent starts \`prehend mcp\` itself, by its own settings, over standard input and output. The simulated model finds a tool of the gateway's registry with \`search_tools\` and calls it with \`execute_tool\`.
The run fails where the agent does not offer all four tools to the model, where the tool does not run exactly once, or where its answer does not come back.
`

/** The page of all clients and what came of their jobs. */
export function page(rows: readonly Row[], demos: readonly DemoRow[], withMcp: readonly McpRow[] = []): string {
  const run = rows.filter(({ client }) => client.notRun === undefined)
  const table = markdownTable(run.map(rowOf))
  const pointing = markdownTable(
    rows.map(({ client }) => ({ 'client': client.name, 'what it needed to be pointed here': pointingOf(client) })),
  )
  const shown = markdownTable(demos.map(demoRowOf))
  return [
    about,
    shown,
    ...demoRemarks(demos),
    aboutChecks,
    table,
    aboutMcp,
    markdownTable(withMcp.map(mcpRowOf)),
    ...troubles(rows),
    '## Pointing them here',
    pointing,
    '',
  ]
    .join('\n\n')
    .replaceAll(/\n{3,}/g, '\n\n')
}

function demoRowOf({ client, label, outcome }: DemoRow): Readonly<Record<string, string>> {
  const { requests = 0, model = '', saved = 0, byPacking = 0, isMoney = true } = outcome ?? {}
  const share = (of: number): string => `${(100 * of).toFixed(0)}%${isMoney ? '' : ' of the tokens'}`
  return {
    'agent': client.name,
    'package': label,
    'model': model,
    'requests': String(requests),
    'saved': share(saved),
    'by packing': share(byPacking),
    'job done': outcome?.problems.length === 0 ? 'yes' : 'no',
  }
}

function demoRemarks(demos: readonly DemoRow[]): readonly string[] {
  const lines = [...new Set(demos.map(({ client }) => client))].flatMap(({ name, demo }) =>
    demo?.notNewer === undefined ? [] : [`- ${name}: ${demo.notNewer}.`],
  )
  return lines.length === 0 ? [] : [lines.join('\n')]
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

function mcpRowOf({ client, outcome }: McpRow): Readonly<Record<string, string>> {
  return {
    'agent': client.name,
    'package': packageOf(client),
    'tools, as the model calls them': outcome?.names.map((name) => `\`${name}\``).join(', ') ?? '',
    'called and answered': outcome?.problems.length === 0 ? 'yes' : 'no',
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
