import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CompileInput, CompileResult, Item, Layout, Ledger, Pack, Policy } from '../../core/index.ts'
import { sha256, wordTokenizer } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { verifyManifest } from '../receipt/verify-manifest.ts'
import { careful } from '../policy/policies.ts'
import { happening, itemsOf, somePolicy } from './sessions.fixture.ts'
import type { Happening } from './sessions.fixture.ts'

const fresh = (): ReturnType<typeof createCompiler> => createCompiler({ tokenizer: wordTokenizer, hash: sha256 })

const session = fc.record({
  happenings: fc.array(happening, { minLength: 4, maxLength: 24 }),
  policy: somePolicy,
  windowTokens: fc.constantFrom(400, 900, 1800, 4000, 20_000),
  rehydration: fc.constantFrom(true, true, true, false),
  /** How many happen between two requests. */
  every: fc.integer({ min: 1, max: 6 }),
})

const handlesOf = ({ manifest }: CompileResult): readonly string[] =>
  [...manifest.decisions, ...(manifest.summaries ?? []), ...(manifest.omissions ?? [])].flatMap(
    ({ handle }) => handle ?? [],
  )

/** Of every marker in a text. */
const handlesIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(/rehydrate\("([^"]+)"/g), ([, handle]) => handle ?? '')

function checkPack(input: CompileInput, result: CompileResult, known: ReadonlySet<string>): void {
  const { pack, budget, manifest } = result
  if (pack === undefined) return
  expect(pack.tokens).toBeLessThanOrEqual(budget.windowTokens - budget.reserveTokens - budget.overheadTokens)
  const decided = manifest.decisions.reduce((sum, { tokens }) => sum + tokens, 0)
  expect(decided + (manifest.frameTokens ?? 0)).toBe(pack.tokens)
  const places = new Map(pack.entries.map((entry, at) => [entry.itemId, { ...entry, at }]))
  for (const { pin, id, text } of input.items) if (pin === true) expect(places.get(id)?.text).toBe(text)
  for (const { text } of [...pack.entries, ...pack.messages])
    for (const handle of handlesIn(text)) expect([...known]).toContain(handle)
  for (const [id, { text, at }] of places) {
    const [, name] = /^\[REF: (\S+) - /.exec(text) ?? []
    if (name === undefined) continue
    const to = Array.from(places.values()).find(
      ({ itemId, at: before, rung }) =>
        before < at && sourceOf(input, itemId) === name && (rung === 'full' || rung === 'lossless'),
    )
    expect([id, text, to?.itemId]).toEqual([id, text, expect.any(String)])
  }
}

const sourceOf = ({ items }: CompileInput, id: string): string | undefined => {
  const item = items.find((one) => one.id === id)
  return item?.provenance?.sourceId ?? item?.id
}

/** Failures that a shown result states; a pointer says that there are some. */
function checkFailures(input: CompileInput, { pack }: CompileResult): void {
  for (const { itemId, text, rung } of pack?.entries ?? []) {
    const item = input.items.find(({ id }) => id === itemId)
    const [, failure] = /((?:TypeError: broken|Error: no such text) \d+)/.exec(item?.text ?? '') ?? []
    if (item?.kind !== 'tool-result' || failure === undefined) continue
    if (rung === 'pointer') expect(text).toMatch(/error|failure/)
    else expect(text).toContain(failure)
  }
}

interface Request {
  readonly items: readonly Item[]
  readonly policy: Policy
  readonly windowTokens: number
  readonly layout?: Layout
  readonly rehydration?: boolean
  readonly ledger?: Ledger | undefined
}

function requestOf({
  items,
  policy,
  windowTokens,
  layout = 'messages',
  rehydration = true,
  ledger,
}: Request): CompileInput {
  return {
    items,
    layout,
    policy,
    budget: { windowTokens },
    handleKey: 'key',
    rehydration,
    hiddenTools: ['rehydrate'],
    nowMs: items.length * 1000,
    ...(layout === 'payload' && { frame: { request: 'What now?' } }),
    ...(ledger && { ledger }),
  }
}

/** A compiler that remembers nothing says the same, in the pack and in the receipt. */
function checkAgain(input: CompileInput, { manifest, pack }: CompileResult): void {
  const again = verifyManifest({ input, manifest, ...(pack && { pack }), compile: (one) => fresh().compile(one) })
  expect(again.differences).toEqual([])
}

/** Within an epoch what was sent stands as it was sent. */
function checkFrozen(before: CompileResult | undefined, { pack, manifest }: CompileResult): void {
  if (manifest.epoch?.decision !== 'hold' || before?.pack === undefined || pack === undefined) return
  const sent = ({ entries }: Pack): unknown =>
    entries.slice(0, before.pack?.entries.length).map(({ itemId, text }) => [itemId, text])
  expect(sent(pack)).toEqual(sent(before.pack))
}

describe.each<Layout>(['messages', 'payload'])('everything that a policy can ask for at once, layout %s', (layout) => {
  it(
    'budgets hold, handles resolve, nothing dangles, what is pinned or failed stands, receipts verify',
    { timeout: 60_000 },
    () => {
      fc.assert(
        fc.property(session, ({ happenings, policy, windowTokens, rehydration, every }) => {
          const compiler = fresh()
          const known = new Set<string>()
          let before: CompileResult | undefined
          for (let count = every; count < happenings.length + every; count += every) {
            const items = itemsOf(happenings.slice(0, count))
            const input = requestOf({ items, policy, windowTokens, layout, rehydration, ledger: before?.ledger })
            const result = compiler.compile(input)
            for (const handle of handlesOf(result)) known.add(handle)
            checkPack(input, result, known)
            checkFailures(input, result)
            checkAgain(input, result)
            if (layout === 'messages') checkFrozen(before, result)
            before = result
          }
        }),
        { numRuns: 40 },
      )
    },
  )
})

const asked: Happening = { is: 'asks', words: 30, corrects: false }
const said: Happening = { is: 'says', words: 120 }
const found = (section: 'evidence' | 'situation'): Happening => ({ is: 'finds', section, fact: 0, worth: 0.9 })

describe('two at once', () => {
  it('references with relief: what refers is shown so, and in its own words once relief has left out what it refers to', () => {
    const policy: Policy = {
      ...careful,
      references: {},
      relief: ['drop-evidence', 'compress-history'],
      reserveShare: 0,
    }
    const compiler = fresh()
    const happenings = [found('evidence'), found('situation'), asked, said, asked, said, asked]
    const first = compiler.compile(requestOf({ items: itemsOf(happenings.slice(0, 3)), policy, windowTokens: 450 }))
    const shown = ({ pack }: CompileResult) =>
      (pack?.entries ?? []).slice(1, 3).map(({ itemId, text }) => [itemId, text.slice(0, 9)])
    expect(shown(first)).toEqual([
      ['i0', 'The depos'],
      ['i1', '[REF: s0 '],
    ])
    const later = compiler.compile(
      requestOf({ items: itemsOf(happenings), policy, windowTokens: 450, ledger: first.ledger }),
    )
    expect(shown(later)[0]).toEqual(['i1', 'The depos'])
    expect(later.manifest.epoch).toMatchObject({ decision: 'begin', epoch: first.ledger.epoch + 1 })
  })

  it('references in a payload: their handles stand in the receipt, so that they bring something back', () => {
    const items = itemsOf([found('evidence'), found('situation'), asked])
    const { pack, manifest } = fresh().compile(
      requestOf({ items, policy: { ...careful, references: {} }, windowTokens: 4000, layout: 'payload' }),
    )
    const [handle] = handlesIn(pack?.entries.find(({ itemId }) => itemId === 'i1')?.text ?? '')
    expect(manifest.decisions.find(({ itemId }) => itemId === 'i1')?.handle).toBe(handle)
    expect(handle).toMatch(/^\d{12}$/)
  })

  it.each([{ measureQuality: true }, { compression: { above: 10 } }])(
    'what receipts tell of fidelity stands in the ledger, for whoever compiles again (%o)',
    (more) => {
      const policy: Policy = { ...careful, reserveShare: 0, ...more }
      const tests: Happening = { is: 'tests', fails: true, lines: 120 }
      const happenings = [asked, tests, tests, tests, tests, said, asked, said, asked]
      const compiler = fresh()
      const first = compiler.compile(requestOf({ items: itemsOf(happenings.slice(0, 7)), policy, windowTokens: 4000 }))
      const input = requestOf({ items: itemsOf(happenings), policy, windowTokens: 4000, ledger: first.ledger })
      const later = compiler.compile(input)
      expect(later.pack?.entries.some(({ rung }) => rung === 'trimmed' || rung === 'line')).toBe(true)
      checkAgain(input, later)
    },
  )
})
