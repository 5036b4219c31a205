import type { CompileInput, Item, OverflowPolicy, ReliefPolicy, ReliefProfile } from '../src/core/index.ts'
import { reliefProfiles, reliefSteps } from '../src/core/index.ts'
import { careful, costFirst, policies } from '../src/compiler/index.ts'
import type { Chances } from './seeded-random.ts'

/* Inputs of `compile`, valid and not, for `fuzz-compile`. */

const words = [
  'alpha',
  'Error: no',
  'src/main.ts',
  '12',
  '~~~',
  '\n',
  '\r\n',
  '  ',
  'EVIDENCE:\n',
  '日本語',
  '🤖',
  '\ud83d',
]
const moreWords = ['the', 'of', '{"a": 1}', '- none', '/', '\u0000', '</b>', 'x'.repeat(40), 'at f (a.js:1:2)', '\t']

function someText({ chance, pick, upTo }: Chances, limit: number): string {
  return Array.from({ length: upTo(limit) }, () => pick(chance(0.5) ? words : moreWords)).join(chance(0.8) ? ' ' : '')
}

const sectionNames = ['policy', 'role', 'task', 'tools', 'evidence', 'memory', 'situation', 'history', 'query', 'extra']

export function someItem(chances: Chances, index: number): Item {
  const { random, chance, pick, upTo } = chances
  const section = chance(0.6) ? pick(['evidence', 'memory', 'history']) : pick(sectionNames)
  const kind = kindOf(chances, section)
  const text = chance(0.05) ? '' : someText(chances, chance(0.1) ? 400 : 30)
  return {
    id: `i${index}`,
    section,
    kind,
    text,
    ...(section === 'evidence' || chance(0.2)
      ? { provenance: { sourceId: `s${upTo(9)}`, retrievedAt: '2026-01-20' } }
      : {}),
    ...(chance(0.7) ? { scores: { relevance: random(), ...(chance(0.3) ? { freshness: random() } : {}) } } : {}),
    ...(chance(0.04) ? { pin: true } : {}),
    ...(chance(0.03) ? { frozen: true } : {}),
    ...(chance(0.15) ? { group: `g${upTo(4)}` } : {}),
    ...(text === '' ? { tokens: upTo(50) } : {}),
    ...(section === 'history' ? { role: pick(['user', 'assistant', 'tool'] as const) } : {}),
    ...(section === 'tools' ? { toolName: `tool_${index}` } : {}),
  }
}

function kindOf({ chance, pick }: Chances, section: string): Item['kind'] {
  if (section === 'history') return pick(['text', 'tool-call', 'tool-result', 'reasoning'])
  if (section === 'tools') return 'tool-schema'
  if (section === 'evidence') return chance(0.5) ? 'evidence' : 'tool-result'
  return pick(['memory', 'text', 'instruction', 'media'])
}

const overflows: readonly OverflowPolicy[] = [
  'truncate-lowest',
  'cascade-compress',
  'defer-retrieval',
  'fail-loud',
  'paginate',
]

function someSection({ chance, pick, upTo }: Chances) {
  return {
    section: pick(sectionNames),
    min: upTo(100),
    max: 100 + upTo(2_000),
    ...(chance(0.4) ? { maxItems: upTo(8) } : {}),
    ...(chance(0.4) ? { mostRemoved: upTo(100) / 100 } : {}),
    ...(chance(0.2) ? { recentTurns: upTo(6), olderTokens: upTo(300) } : {}),
  }
}

function someRelief({ chance, pick }: Chances): ReliefPolicy {
  const profile = pick(Object.keys(reliefProfiles) as readonly ReliefProfile[])
  return chance(0.7) ? profile : reliefSteps.filter(() => chance(0.4))
}

export function someInput(chances: Chances): CompileInput {
  const { chance, pick, upTo } = chances
  const items = Array.from({ length: upTo(chance(0.1) ? 120 : 25) }, (_, index) => someItem(chances, index))
  const layout = chance(0.7) ? 'payload' : 'messages'
  const base = pick([careful, careful, costFirst, pick(Object.values(policies))])
  return {
    items,
    budget: {
      windowTokens: 300 + upTo(chance(0.3) ? 20_000 : 3_000),
      ...(chance(0.3) ? { maxOutputTokens: upTo(400) } : {}),
      ...(chance(0.2) ? { overheadTokens: upTo(100) } : {}),
      ...(chance(0.3) ? { sections: [someSection(chances)] } : {}),
    },
    policy: {
      ...base,
      overflow: pick(layout === 'payload' ? overflows : overflows.slice(0, -1)),
      ...(chance(0.4) ? { relief: someRelief(chances) } : {}),
    },
    layout,
    ...(layout === 'payload' && chance(0.3) ? { markup: pick(['headers', 'xml', 'canonical'] as const) } : {}),
    ...(chance(0.1) ? { taskClass: 'safety-critical' } : {}),
    ...(chance(0.8)
      ? {
          frame: {
            request: someText(chances, 10),
            goal: someText(chances, 5),
            step: someText(chances, 5),
            acceptance: [someText(chances, 4)],
          },
        }
      : {}),
    ...(chance(0.3) ? { signals: { dialogueDepth: upTo(30), risk: pick(['low', 'high'] as const) } } : {}),
    ...(chance(0.5) ? { rehydration: true } : {}),
  }
}

/** What no caller may hand in. */
const damages: readonly ((input: Record<string, unknown>, chances: Chances) => void)[] = [
  (input) => void (input['items'] = null),
  (input) => void (input['items'] = [{ id: 'a' }]),
  (input, chances) => void (input['items'] = [someItem(chances, 1), someItem(chances, 1)]),
  (input, chances) => void (input['items'] = [{ ...someItem(chances, 1), scores: { relevance: Number.NaN } }]),
  (input, chances) => void (input['items'] = [{ ...someItem(chances, 1), tokens: -4 }]),
  (input) => void (input['items'] = [null, 3]),
  (input, { pick }) => void (input['budget'] = { windowTokens: pick([0, -5, 1e300, Number.NaN, Infinity, 1.5, '9']) }),
  (input) => void (input['budget'] = { windowTokens: 10, maxOutputTokens: 50 }),
  (input) => void (input['budget'] = { windowTokens: 100, sections: [{ section: 'evidence', min: 9, max: 3 }] }),
  (input) => void (input['budget'] = { windowTokens: 100, sections: 'all' }),
  (input, { pick }) =>
    void (input['policy'] = pick([undefined, {}, { ...careful, overflow: 'hope' }, { ...careful, shares: 7 }])),
  (input) => void (input['policy'] = { id: 'x', shares: [null], overflow: 'fail-loud', reserveShare: 0 }),
  (input) => void (input['layout'] = 'sideways'),
  (input, { pick }) => void (input['frame'] = pick([null, {}, { request: 3 }, { request: '', goal: [] }])),
  (input, { pick }) => void (input['ledger'] = pick([null, {}, { schema: 'prehend.ledger/0' }, 'ledger'])),
  (input, { pick }) => void (input['signals'] = pick([null, { risk: 'extreme' }, { similarity: -1 }])),
  (input, { pick }) => void (input['prices'] = pick([null, { read: -1 }])),
  (input, { pick }) => void (input['nowMs'] = pick([Number.NaN, 'noon'])),
  (input, { pick }) => void (input['handleKey'] = pick([3, null])),
  (input) => void (input['rehydration'] = 'maybe'),
]

/** Damages an input in one of these ways. */
export function damage(input: CompileInput, chances: Chances): void {
  chances.pick(damages)(input as unknown as Record<string, unknown>, chances)
}
