import * as fc from 'fast-check'
import type { Item, Policy } from '../../core/index.ts'
import { reliefProfiles } from '../../core/index.ts'
import type { ReliefPolicy, ReliefProfile } from '../../core/index.ts'
import { careful } from '../policy/policies.ts'

const facts = [
  'The deposit of 500 euros is returned to the tenant within 30 days after the keys are back at the office of Maria Keller in the old town of Lübeck.',
  'Ships that sail at night carry two green lamps by the bow and one white lamp by the stern, as the harbour office of Kiel has asked of all of them since 1904.',
  'It is said that the merchants of the coast, who came with their ships when the weather was good enough for them, liked the harbour of the town very much.',
]

/** What happens in a session, one after another. */
export type Happening =
  | { readonly is: 'asks'; readonly words: number; readonly corrects: boolean }
  | { readonly is: 'says'; readonly words: number }
  | { readonly is: 'views'; readonly path: string; readonly lines: number; readonly pins: boolean }
  | { readonly is: 'edits'; readonly path: string; readonly fails: boolean }
  | { readonly is: 'tests'; readonly fails: boolean; readonly lines: number }
  | { readonly is: 'looks' }
  | { readonly is: 'recalls'; readonly lines: number }
  | {
      readonly is: 'finds'
      readonly section: 'evidence' | 'memory' | 'situation'
      readonly fact: number
      readonly worth: number
    }

const path = fc.constantFrom('src/a.ts', 'src/b.ts')
const size = fc.constantFrom(5, 30, 120)

export const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ is: fc.constant('asks' as const), words: size, corrects: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('says' as const), words: size }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: fc.constant('views' as const),
      path,
      lines: size,
      pins: fc.constantFrom(false, false, false, true),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('edits' as const), path, fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('tests' as const), fails: fc.boolean(), lines: size }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('looks' as const) }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('recalls' as const), lines: size }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constant('finds' as const),
      section: fc.constantFrom('evidence' as const, 'memory' as const, 'situation' as const),
      fact: fc.nat({ max: facts.length - 1 }),
      worth: fc.constantFrom(0, 0.2, 0.5, 0.9),
    }),
  },
)

const prose = (count: number, name: string): string =>
  Array.from(
    { length: Math.ceil(count / 10) },
    (_, at) => `The ${name} part ${at} of it is told to be rather well known by ${name}${at} here.`,
  ).join(' ')

const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, at) => `export const ${name}${at} = read(${at}) // ${name}`).join('\n')

/** The items of a session, in wire order. */
export function itemsOf(happenings: readonly Happening[]): readonly Item[] {
  const system: Item = {
    id: 'system',
    section: 'policy',
    kind: 'instruction',
    role: 'system',
    text: 'You help. Never deploy on Fridays.',
  }
  const items: Item[] = [system]
  let turn = 1
  for (const [at, one] of happenings.entries()) {
    if (one.is === 'asks') turn += 1
    items.push(...happened(one, at).map((item) => ({ ...item, birthTurn: turn })))
  }
  return items
}

function happened(one: Happening, at: number): readonly Item[] {
  const said = { id: `i${at}`, section: 'history', kind: 'text' } as const
  switch (one.is) {
    case 'asks':
      return [{ ...said, role: 'user', text: `${one.corrects ? 'No, ' : ''}what of ${prose(one.words, `u${at}x`)}?` }]
    case 'says':
      return [{ ...said, role: 'assistant', text: `It is so. ${prose(one.words, `a${at}x`)}` }]
    case 'views':
      return did(at, {
        toolName: 'view',
        args: { path: one.path },
        text: lines(one.lines, one.path.slice(4, 5)),
        pin: one.pins,
      })
    case 'edits':
      return did(at, {
        toolName: 'edit',
        args: { path: one.path, old_str: `old ${at}`, new_str: lines(12, `n${at}x`) },
        text: one.fails ? `Error: no such text ${at} in ${one.path}` : 'done',
        status: one.fails ? 'error' : 'ok',
      })
    case 'tests':
      return did(at, {
        toolName: 'bash',
        args: { command: 'npm test' },
        text: `${lines(one.lines, `t${at}x`)}${one.fails ? `\nTypeError: broken ${at} is not a function\n    at f (src/a.ts:${at}:2)` : ''}`,
        status: one.fails ? 'error' : 'ok',
      })
    case 'looks': {
      const [call, result] = did(at, { toolName: 'screenshot', args: {}, text: 'taken' })
      const media = {
        type: 'image',
        mimeType: 'image/png',
        width: 800,
        height: 600,
        sizeBytes: 9000 + at,
        fingerprint: `f${at}`,
      } as const
      const shot: Item = {
        id: `i${at}.shot`,
        section: 'history',
        kind: 'media',
        role: 'tool',
        toolName: 'screenshot',
        toolCallId: `c${at}`,
        group: `c${at}`,
        text: '',
        tokens: 640,
        media,
      }
      return [call, result, shot].flatMap((item) => item ?? [])
    }
    case 'recalls':
      return did(at, { toolName: 'rehydrate', args: { handle: `${at}` }, text: lines(one.lines, `r${at}x`) })
    case 'finds':
      return [
        {
          id: `i${at}`,
          section: one.section,
          kind: one.section === 'situation' ? 'text' : one.section,
          role: 'user',
          text: `${facts[one.fact]} ${facts[(one.fact + 1) % facts.length]}`,
          scores: { relevance: one.worth },
          provenance: { sourceId: `s${at}`, uri: `https://example.com/${one.fact}` },
        },
      ]
  }
}

interface Deed {
  readonly toolName: string
  readonly args: object
  readonly text: string
  readonly status?: 'ok' | 'error'
  readonly pin?: boolean
}

function did(at: number, { toolName, args, text, status = 'ok', pin = false }: Deed): readonly Item[] {
  const own = { section: 'history', toolName, toolCallId: `c${at}`, group: `c${at}` } as const
  return [
    { ...own, id: `i${at}.call`, kind: 'tool-call', role: 'assistant', text: JSON.stringify(args) },
    { ...own, id: `i${at}.result`, kind: 'tool-result', role: 'tool', text, status, ...(pin && { pin }) },
  ]
}

const reliefs: readonly (ReliefPolicy | undefined)[] = [
  undefined,
  undefined,
  ['drop-evidence', 'compress-history'],
  ['drop-memory', 'compress-history', 'drop-evidence'],
  ...(Object.keys(reliefProfiles) as ReliefProfile[]),
]

/** Any of what a policy can ask for, on and off. */
export const somePolicy: fc.Arbitrary<Policy> = fc
  .record({
    summaries: fc.constantFrom(
      undefined,
      {},
      { mode: 'pyramid', blockTurns: 2 },
      { mode: 'rolling', leastTurns: 1, recentTurns: 2 },
      { mode: 'oneshot', leastTurns: 1 },
    ) as fc.Arbitrary<Policy['summaries']>,
    hygiene: fc.constantFrom(
      undefined,
      { decay: 'usual', superseded: true, voided: true },
      { staleAfter: 2, unusedFor: 2, phaseChange: true, release: 'at-once' },
      { decay: 'usual', superseded: true, voided: true, release: 'at-once', staleWorth: 0 },
    ) as fc.Arbitrary<Policy['hygiene']>,
    references: fc.constantFrom(undefined, {}, { similarity: 0.5 }),
    compression: fc.constantFrom(
      undefined,
      {},
      { above: 50, dialogue: true, preserveRecent: 1 },
      { above: 50, keepRatio: 0.3, minFidelity: 0 },
    ),
    relief: fc.constantFrom(...reliefs),
    measureQuality: fc.constantFrom(undefined, true),
    lowestRung: fc.constantFrom<Policy['epochs']['lowestRung'][]>('line', 'trimmed', 'line', 'lossless'),
    tight: fc.constantFrom(undefined, 300, 900),
  })
  .map(({ lowestRung, tight, ...asked }) => ({
    ...careful,
    id: 'together',
    reserveShare: 0,
    epochs: {
      ...careful.epochs,
      lowestRung: asked.summaries === undefined || lowestRung !== 'lossless' ? lowestRung : 'line',
    },
    ...(Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)) as Partial<Policy>),
    ...(tight !== undefined && { sections: [{ section: 'history', max: tight }] }),
  }))
