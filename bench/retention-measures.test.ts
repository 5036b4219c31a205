import { expect, it } from 'vitest'
import { policies } from '../src/compiler/index.ts'
import type { Item } from '../src/core/index.ts'
import { countingOf, plainRules, policyStrategies, renderer } from '../src/inspect/index.ts'
import type { Trace, TraceMessage } from '../src/inspect/index.ts'
import { draftBriefing } from '../src/sessions/index.ts'
import { agentFacts, chatTrace, memoryFacts } from './retention-facts.ts'
import { retention, stringsOfBriefing } from './retention-measures.ts'
import type { Fact, KindRetained } from './retention-measures.ts'

const rules = plainRules({})
const counting = countingOf(rules)

function retained(trace: Trace, facts: readonly Fact[], value: number): Promise<ReadonlyMap<string, KindRetained>> {
  const compaction = { trigger: { type: 'token_count', value } } as const
  return retention({
    trace,
    facts,
    strategy: (packed) =>
      policyStrategies([{ name: 'ours', policy: policies.balanced, packed }], rules, { compaction })[0]!,
    renderer: renderer(counting),
    briefing: (items) => stringsOfBriefing(draftBriefing(items, { budgetTokens: 2000, count: counting.count })),
  })
}

const rule = 'Never touch src/tax-rates.ts, and use the rate of order K-4471.'

/** An agent that reads one file after the other; each has one line that its last step needs. */
function agentTrace(steps: number): { readonly trace: Trace; readonly facts: readonly Fact[] } {
  const task: TraceMessage = message('m0', 'user', [{ kind: 'text', text: `Find the wrong invoice. ${rule}` }])
  const all = Array.from({ length: steps }, (_, at) => [
    message(`call${at}`, 'assistant', [
      { kind: 'tool-call', text: JSON.stringify({ path: `src/f${at}.ts` }), ...callOf(at) },
    ]),
    message(`result${at}`, 'tool', [{ kind: 'tool-result', text: fileText(at), ...callOf(at) }]),
  ])
  const requests = all.map(([answer], at) => ({
    messages: [task, ...all.slice(0, at).flat()],
    atMs: at * 1000,
    ...(answer && { answer }),
  }))
  const facts = all.map((_, at): Fact => {
    const isIn = (text: string): boolean => text.includes(needle(at))
    return { kind: 'lines', sources: [`result${at}`], neededAt: Number.POSITIVE_INFINITY, isIn }
  })
  return { trace: { id: 'made', requests }, facts }
}

const callOf = (at: number) => ({ toolName: 'read', toolCallId: `c${at}`, group: `c${at}` })
const needle = (at: number): string => `the invoice ${at}-${at * 7919} was rounded twice`

function fileText(at: number): string {
  const filler = Array.from({ length: 40 }, (_, line) => `some text of part ${at} that says little, ${line * 31 + at}`)
  return [...filler.slice(0, 20), needle(at), ...filler.slice(20)].join('\n')
}

function message(id: string, role: TraceMessage['role'], parts: readonly Pick<Item, 'kind' | 'text'>[]): TraceMessage {
  return { id, role, items: parts.map((part, at) => ({ section: 'history', role, id: `${id}.${at}`, ...part })) }
}

it('N-10: facts are counted after one to four compactions and after a handoff, with and without rehydration', async () => {
  const { trace, facts } = agentTrace(60)
  const found = await retained(trace, [...facts, ...agentFacts(trace)], 8000)
  const lines = found.get('lines')!
  for (const one of lines.byCompactions) {
    expect(one.of).toBeGreaterThan(0)
    expect(one.stands).toBeLessThan(one.of)
    expect(one.withRehydration).toBe(one.of)
  }
  // A briefing holds what the user has demanded, and nothing that only a tool has said.
  expect(lines.handoff).toMatchObject({ stands: 0, withRehydration: 0 })
  const ofUser = found.get('names, numbers and paths of the user')!
  expect(ofUser.handoff.of).toBeGreaterThan(0)
  expect(ofUser.handoff.stands).toBe(ofUser.handoff.of)
})

it('a fact that nobody needs any more is not counted, and neither is one that no compaction has touched', async () => {
  const { trace, facts } = agentTrace(60)
  const early = await retained(
    trace,
    facts.map((fact) => ({ ...fact, neededAt: 3 })),
    8000,
  )
  expect(early.get('lines')).toMatchObject({ handoff: { of: 0 } })
  const never = await retained(trace, facts, 1_000_000)
  expect(never.get('lines')?.byCompactions.map(({ of }) => of)).toEqual([0, 0, 0, 0])
})

it('what a question asks about comes back by its words after a handoff', async () => {
  const turns = Array.from({ length: 40 }, (_, at) =>
    at === 3
      ? 'My bakery is called Silver Oak. It has two ovens.'
      : `On day ${at} I walked around the lake, saw ${at + 2} ducks and thought about little else. `.repeat(6),
  )
  const question = { question: 'What is my bakery called?', answers: ['silver oak'], source_turns: [3] }
  const found = await retained(chatTrace('chat', turns), memoryFacts(turns, [question]), 3000)
  const { handoff } = found.get('sentences that answer a question')!
  expect(handoff.of).toBeGreaterThan(1)
  expect(handoff.stands).toBe(0)
  expect(handoff.withRehydration).toBeGreaterThan(0)
})
