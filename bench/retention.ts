import { readFileSync } from 'node:fs'
import { stderr, stdout } from 'node:process'
import { parseArgs } from 'node:util'
import { usualCompaction } from '../src/core/index.ts'
import type { CompactionOrder, Manifest } from '../src/core/index.ts'
import {
  countingOf,
  passThrough,
  plainRules,
  policyStrategies,
  readTrace,
  renderer,
  replayTrace,
} from '../src/inspect/index.ts'
import type { Strategy, Trace } from '../src/inspect/index.ts'
import { draftBriefing } from '../src/sessions/index.ts'
import { markdownTable } from './markdown-table.ts'
import { policyChoice } from './policy-choice.ts'
import type { PolicyUnderName } from './policy-choice.ts'
import { agentFacts, chatTrace, memoryFacts } from './retention-facts.ts'
import type { MemoryQuestion } from './retention-facts.ts'
import { retention, retentionClasses, stringsOfBriefing } from './retention-measures.ts'
import type { Fact, KindRetained, Retained } from './retention-measures.ts'
import { percent } from './share-text.ts'

/*
 * What of the facts of a conversation is retained after one to four compactions and after a handoff, with and without what `rehydrate` brings back, and
 * how much of what tools bring had been read before. Compactions are forced by a trigger, so that each session has several.
 *
 *   npm run -s bench -- retention
 */

const help = `Usage: npm run -s bench -- retention [OPTIONS]

  --policy P      as for frontier; repeatable; balanced by default
  --set NAME      coding-sessions or bfcl-memory; both by default
  --trigger N     tokens of a prompt that force a compaction; 40000 for agents and 4000 for chats by default
  --limit N       only the first N sessions of each set
  --requests N    only the first N requests of each session
  --data FOLDER   ../shared/data by default
`

const { values } = parseArgs({
  options: {
    policy: { type: 'string', multiple: true, default: ['balanced'] },
    set: { type: 'string' },
    trigger: { type: 'string' },
    limit: { type: 'string' },
    requests: { type: 'string' },
    data: { type: 'string', default: '../shared/data' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

interface Session {
  readonly trace: Trace
  readonly facts: readonly Fact[]
}

interface RetentionSet {
  readonly name: string
  readonly order: CompactionOrder
  sessions(): Promise<readonly Session[]>
}

const sets: readonly RetentionSet[] = [
  { name: 'coding-sessions', order: orderOf(40_000), sessions: agentSessions },
  { name: 'bfcl-memory', order: orderOf(4000), sessions: chatSessions },
]

function orderOf(tokens: number): CompactionOrder {
  const value = values.trigger === undefined ? tokens : Number(values.trigger)
  return { trigger: { type: 'token_count', value } }
}

async function agentSessions(): Promise<readonly Session[]> {
  const found: Session[] = []
  for await (const trace of readTrace(`${values.data}/coding-sessions/pi_sessions.jsonl`, {})) {
    const cut = cutTrace(trace)
    found.push({ trace: cut, facts: agentFacts(cut) })
  }
  return found
}

async function chatSessions(): Promise<readonly Session[]> {
  const questions = records('bfcl-memory/questions.dev.jsonl') as readonly (MemoryQuestion & {
    readonly scenario: string
  })[]
  const chats = records('bfcl-memory/conversations.jsonl') as readonly {
    readonly scenario: string
    readonly turns: readonly { readonly content: string }[]
  }[]
  return chats.flatMap(({ scenario, turns }): readonly Session[] => {
    const texts = turns.map(({ content }) => content)
    const own = questions.filter((question) => question.scenario === scenario)
    return own.length === 0 ? [] : [{ trace: cutTrace(chatTrace(scenario, texts)), facts: memoryFacts(texts, own) }]
  })
}

function records(file: string): readonly unknown[] {
  const lines = readFileSync(`${values.data}/${file}`, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line) as unknown)
}

function cutTrace(trace: Trace): Trace {
  const most = values.requests === undefined ? trace.requests.length : Number(values.requests)
  return { ...trace, requests: trace.requests.slice(0, most) }
}

const rules = plainRules({})
const counting = countingOf(rules)

function strategyOf(
  { name, policy }: PolicyUnderName,
  compaction: CompactionOrder,
  packed?: (manifest: Manifest) => void,
): Strategy {
  const [strategy] = policyStrategies([{ name, policy, ...(packed && { packed }) }], rules, { compaction })
  return strategy!
}

interface Reread {
  readonly session: string
  readonly compactions: number
  readonly repeated: number | null
  readonly reread: number | null
}

function rereadOf({ trace }: Session, strategy: Strategy): Reread {
  const options = { ...counting, openCache: rules.openCache, outputPrice: rules.outputPrice, clock: () => 0 }
  const whole = replayTrace(trace, passThrough(), options)
  const { compactions, rereading } = replayTrace(trace, strategy, options)
  const { brought, repeated } = whole.rereading
  const share = (part: number): number | null => (brought === 0 ? null : part / brought)
  return { session: trace.id, compactions, repeated: share(repeated), reread: share(rereading.reread) }
}

async function measured(
  { name, order, sessions }: RetentionSet,
  policy: PolicyUnderName,
): Promise<{ readonly kinds: readonly Row[]; readonly rereads: readonly Row[] }> {
  const all: ReadonlyMap<string, KindRetained>[] = []
  const rereads: Row[] = []
  const most = values.limit === undefined ? Infinity : Number(values.limit)
  for (const session of (await sessions()).slice(0, most)) {
    const { trace, facts } = session
    const began = performance.now()
    all.push(
      await retention({
        trace,
        facts,
        strategy: (packed) => strategyOf(policy, order, packed),
        renderer: renderer(counting),
        briefing: (items) =>
          stringsOfBriefing(
            draftBriefing(items, { budgetTokens: usualCompaction.summaryBudget, count: counting.count }),
          ),
      }),
    )
    const { compactions, repeated, reread } = rereadOf(session, strategyOf(policy, order))
    rereads.push({
      'session': trace.id,
      'policy': policy.name,
      'compactions': String(compactions),
      'read before': percent(repeated),
      'and not shown': percent(reread),
    })
    stderr.write(`${name} ${trace.id}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`)
  }
  const names = [...new Set(all.flatMap((own) => [...own.keys()]))]
  const kinds = names.map((kind): Row => {
    const own = all.flatMap((one) => one.get(kind) ?? [])
    const classes = retentionClasses.map((title, at): [string, string] => [
      `after ${title}`,
      cell(own.map(({ byCompactions }) => byCompactions[at])),
    ])
    return {
      set: name,
      policy: policy.name,
      facts: kind,
      ...Object.fromEntries(classes),
      handoff: cell(own.map(({ handoff }) => handoff)),
    }
  })
  return { kinds, rereads }
}

type Row = { readonly [column: string]: string }

/** For example `31% / 100% of 45`: standing, and with rehydration. */
function cell(all: readonly (Retained | undefined)[]): string {
  const sum = (of: (one: Retained) => number): number =>
    all.reduce((total, one) => total + (one === undefined ? 0 : of(one)), 0)
  const of = sum((one) => one.of)
  if (of === 0) return 'n/a'
  return `${percent(sum(({ stands }) => stands) / of)} / ${percent(sum((one) => one.withRehydration) / of)} of ${of}`
}

async function main(): Promise<void> {
  const kinds: Row[] = []
  const rereads: Row[] = []
  for (const set of sets.filter(({ name }) => values.set === undefined || values.set === name))
    for (const name of values.policy) {
      const one = await measured(set, policyChoice(name))
      kinds.push(...one.kinds)
      if (set.name === 'coding-sessions') rereads.push(...one.rereads)
    }
  stdout.write(`${markdownTable(kinds)}\n\n${rereads.length === 0 ? '' : `${markdownTable(rereads)}\n`}`)
}

if (values.help) stdout.write(help)
else await main()
