import { expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item } from '../../core/index.ts'
import { evidence, memory, omissionText, tool } from '../../core/index.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import { compile, input, sha256, wordTokenizer } from '../compile-input.fixture.ts'

const facts = (name: string, count: number): string =>
  Array.from({ length: count }, (_, at) => `${name} number ${at} is a fact of its own.`).join(' ')

const items: readonly Item[] = [
  tool({ name: 'search', description: 'Searches.', schema: { type: 'object' } }),
  ...Array.from({ length: 6 }, (_, at) => evidence(facts(`evidence ${at}`, 30), `source ${at}`)),
  ...Array.from({ length: 4 }, (_, at) => memory(facts(`memory ${at}`, 30), { id: `m${at}` })),
  ...Array.from({ length: 12 }, (_, at): Item => ({
    id: `h${at}`,
    section: 'history',
    kind: 'text',
    role: at % 2 === 0 ? 'user' : 'assistant',
    text: facts(`said ${at}`, 20),
  })),
]

const more = (name: string, count: number): readonly Item[] =>
  Array.from({ length: count }, (_, at) => evidence(facts(`${name} ${at}`, 20), `${name} ${at}`))

const inputOf = (changed: Partial<CompileInput>): CompileInput =>
  input({
    items,
    policy: { ...careful, id: 'dropping', relief: ['drop-memory', 'drop-evidence', 'drop-history'] },
    layout: 'payload',
    budget: { windowTokens: 2_600 },
    frame: { request: 'What now?' },
    rehydration: true,
    handleKey: 'key',
    ...changed,
  })

const packed = (changed: Partial<CompileInput> = {}): CompileResult => compile(inputOf(changed))

const lastText = ({ pack }: CompileResult): string => pack?.messages.at(-1)?.text ?? ''

it.each(['headers', 'xml', 'canonical'] as const)(
  'P-046: whatever a payload leaves out leaves a pointer to a list that says what, why and how to get it back (%s)',
  (markup) => {
    const result = packed({ markup })
    const { manifest } = result
    const left = manifest.decisions.filter(({ rung }) => rung === 'omitted')
    expect(new Set(left.map(({ section }) => section)).size).toBeGreaterThan(1)
    for (const { section } of left) {
      const omission = manifest.omissions?.find((one) => one.section === section)
      expect(omission?.items).toBe(left.filter((one) => one.section === section).length)
      const call = `not shown: rehydrate("${omission?.handle}")`
      expect(lastText(result)).toContain(markup === 'xml' ? call.replaceAll('"', '&quot;') : call)
    }
    for (const { itemId, section, handle, reason } of left) {
      const list = omissionText(items, manifest, section) ?? ''
      const line = list.split('\n').find((one) => one.startsWith(`[${handle}] `)) ?? ''
      expect([itemId, line]).toEqual([itemId, expect.stringMatching(/\d+ characters, (no room|pressure|[a-z-]+): /)])
      if (reason === 'pressure') expect(line).toContain(', pressure: ')
    }
  },
)

it('P-046: what is dropped below a floor says so in the list', () => {
  const low = evidence(facts('low', 3), 'blog', { scores: { relevance: 0.1 } })
  const policy = { ...careful, id: 'floored', floors: { relevance: 0.5, freshness: 0, authority: 0 } }
  const given = [low, ...items]
  const { manifest } = packed({ items: given, policy, budget: { windowTokens: 100_000 } })
  expect(manifest.omissions).toEqual([{ section: 'evidence', items: 1, handle: expect.any(String) }])
  expect(omissionText(given, manifest, 'evidence')).toContain(', below-floor: low number 0 is a fact')
})

it('the same list has the same handle, and under another key another one', () => {
  const handles = (result: CompileResult): readonly string[] =>
    result.manifest.omissions?.map(({ handle }) => handle) ?? []
  expect(handles(packed())).toEqual(handles(packed()))
  const others = handles(packed({ handleKey: 'other' }))
  expect(others.filter((handle) => handles(packed()).includes(handle))).toEqual([])
})

it('a list that goes on where it differs from the one before has the handle that it has by itself', () => {
  const kept = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
  const low = evidence(facts('low', 3), 'blog', { scores: { relevance: 0.1 } })
  const floored = { ...careful, id: 'floored', floors: { relevance: 0.5, freshness: 0, authority: 0 } }
  const turns: readonly Partial<CompileInput>[] = [
    {},
    {},
    { budget: { windowTokens: 2_100 } },
    { items: [...items, ...more('a', 3)] },
    { items: [...items, ...more('a', 3)], policy: floored },
    { items: [low, ...items, ...more('a', 6)], policy: floored },
    { items: items.slice(4) },
    { items: [...items.slice(0, 8), ...more('b', 1), ...items.slice(8)], budget: { windowTokens: 3_300 } },
    {},
  ]
  for (const turn of turns) {
    const asked = inputOf(turn)
    const { manifest } = kept.compile(asked)
    expect(manifest.omissions?.length).toBeGreaterThan(0)
    expect(manifest.omissions).toEqual(compile(asked).manifest.omissions)
  }
})

it('nothing points anywhere where handles cannot be followed, or where everything is shown', () => {
  const blind = packed({ rehydration: false })
  expect(blind.manifest.omissions).toBeUndefined()
  expect(lastText(blind)).not.toContain('rehydrate')
  expect(packed({ budget: { windowTokens: 100_000 } }).manifest.omissions).toBeUndefined()
})

it('never takes more than there is, pointers included', () => {
  for (const windowTokens of [1_500, 1_800, 2_100, 2_600, 3_300, 4_000]) {
    const { pack, budget } = packed({ budget: { windowTokens } })
    expect(pack?.tokens ?? 0).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens)
  }
})
