import { careful } from '../compiler/index.ts'
import { invalidInput } from '../core/index.ts'
import { tokenizerFor } from '../tokens/index.ts'
import { command } from './command.ts'
import { extensionOptions, withExtensions } from './command-extensions.ts'
import { compilingWith } from './compiling.ts'
import { comparedReports } from './eval-compare.ts'
import { changesTable, evaluationTable } from './eval-table.ts'
import { evaluated } from './eval-run.ts'
import { liveOptions } from './live/live-options.ts'
import { policyAt } from './policy-file.ts'
import type { Policy } from '../core/index.ts'
import type { OptionTable } from './command.ts'

const usualBudgets = [1000, 2000, 4000, 8000] as const

export const evalCommand = command({
  name: 'eval',
  about:
    'measure on labelled data what packs keep and what is found; with --live, whether an agent still solves its tasks',
  details: [
    'The members of its lines determine the kind of a file: conversations or documents, questions about them, recorded traffic in any form of docs/files.md, recorded responses. Questions also need the file with their conversations or documents.',
    'Evidence counts as kept if the pack has it word for word or in a lossless form. All text of the request counts as tokens. The report also has simple baselines, the upper limit, and the figures published with the data.',
    'With --live an agent does small repository tasks by a real model, with and without each policy, and hidden tests judge it. Keys are read as by serve, and of an upstream NAME from NAME_API_KEY. The result: tasks solved, the whole bill, turns and rehydrations, with intervals, and what so many runs can tell. docs/eval-live.md says what it costs.',
  ],
  positional: { name: 'FILE', about: 'JSONL files; none with --live', least: 0, most: Number.POSITIVE_INFINITY },
  options: {
    'budget': {
      type: 'list',
      about: 'sizes of the packs (default: 1000,2000,4000,8000)',
      placeholder: 'TOKENS',
    },
    'policy': {
      type: 'text',
      about: 'a policy by name or file (default: careful, ranking by the request)',
      placeholder: 'NAME',
    },
    'model': {
      type: 'text',
      about: 'count tokens for this model; with --live, the model that does the tasks',
      placeholder: 'MODEL',
    },
    'limit': {
      type: 'number',
      about: 'only the first N conversations, questions, tasks, sessions or outputs of each file',
      placeholder: 'N',
      min: 1,
    },
    'compare': { type: 'flag', about: 'compare two reports that --json has printed, the earlier one first' },
    'skip-invalid': { type: 'flag', about: 'pass over lines that cannot be read, and count them' },
    ...extensionOptions,
    ...liveOptions,
  },
  examples: [
    'prehend eval meetings.jsonl',
    'prehend eval passages.jsonl questions.jsonl --budget 2000 --json',
    'prehend eval --compare before.json after.json',
    'prehend eval --live example --model claude-haiku-4-5 --runs 5 --max-usd 20 --out runs.jsonl',
    'prehend eval --live example --model claude-haiku-4-5 --runs 5 --max-usd 40 --out runs.jsonl --resume',
  ],
  async run({ options, positionals, io }) {
    const { live, model, json = false } = options
    if (live !== undefined) {
      refuseBesideLive(options, positionals)
      if (model === undefined) throw invalidInput('--model', 'is missing', 'Name the model that does the tasks')
      const { evaluateLive } = await import('./live/eval-live.ts')
      return evaluateLive({ ...options, live, model, json }, io)
    }
    refuseWithoutLive(options, positionals)
    if (options.compare === true) {
      refuseBeside(options)
      const changes = await comparedReports(positionals, io)
      io.out(options.json === true ? `${JSON.stringify({ changes })}\n` : changesTable(changes, io.columns))
      return 0
    }
    const { count } = tokenizerFor(options.model ?? 'gpt-4.1')
    const report = await withExtensions(options, async (extensions) => {
      const { compile, extras } = compilingWith(extensions)
      return evaluated(positionals, {
        policy: options.policy === undefined ? byRequest : policyAt(options.policy, '--policy').policy,
        model: options.model,
        count,
        budgets: options.budget === undefined ? usualBudgets : budgetsOf(options.budget),
        compile,
        extras,
        limit: options.limit,
        skipInvalid: options['skip-invalid'] === true,
        quiet: options.json === true,
        io,
      })
    })
    if (report === undefined) return io.interrupted.reason === 'SIGTERM' ? 143 : 130
    io.out(options.json === true ? `${JSON.stringify(report)}\n` : evaluationTable(report, io.columns))
    return 0
  },
})

const byRequest: Policy = { ...careful, id: 'careful-by-request', rank: { ...careful.rank, scorer: 'request' } }

const least = 300
const most = 100_000_000

/** Each once, the smallest first. */
function budgetsOf(texts: readonly string[]): readonly number[] {
  return [...new Set(texts.map(budgetOf))].toSorted((one, other) => one - other)
}

function budgetOf(text: string): number {
  const tokens = Number(text)
  if (Number.isInteger(tokens) && tokens >= least && tokens <= most) return tokens
  const remedy = `Give whole numbers from ${least} to ${most}, as in 1000,4000`
  throw invalidInput('--budget', `${text} is no size of a pack`, remedy)
}

/** Two reports are compared as they are. */
function refuseBeside(options: Options): void {
  const others = ['budget', 'policy', 'model', 'limit', 'skip-invalid']
  const remedy = 'Leave it out, or give it where the reports are made'
  refuse(options, others, 'says nothing of reports that are compared', remedy)
}

/** Files are measured, tasks are done. */
function refuseBesideLive(options: Options, [file]: readonly string[]): void {
  const others = ['budget', 'policy', 'limit', 'compare', 'skip-invalid']
  refuse(options, others, 'does not go with --live', 'Leave it out; --policies names policies')
  if (file !== undefined) throw invalidInput(file, 'does not go with --live', 'Leave it out')
}

/** Options that the environment may set for other commands do no harm. */
function refuseWithoutLive(options: Options, positionals: readonly string[]): void {
  const tables: OptionTable = liveOptions
  const only = Object.keys(liveOptions).filter((name) => (tables[name]?.variables ?? []).length === 0)
  refuse(options, only, 'goes with --live only', 'Leave it out, or name a folder of tasks with --live')
  if (positionals.length === 0) throw invalidInput('FILE', 'is missing', 'Give JSONL files; see prehend eval --help')
}

type Options = Readonly<Record<string, unknown>>

function refuse(options: Options, names: readonly string[], why: string, remedy: string): void {
  const name = names.find((one) => options[one] !== undefined)
  if (name !== undefined) throw invalidInput(`--${name}`, why, remedy)
}
