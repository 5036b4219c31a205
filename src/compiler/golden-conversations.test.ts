import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { CachePrices, CompileInput, CompileResult, EpochPolicy, Item, Ledger, Policy } from '../core/index.ts'
import { careful, policies } from './policy/policies.ts'
import { newCompiler } from './word-tokens.fixture.ts'

const folder = resolve(import.meta.dirname, 'fixtures/conversations')

/** A case is a folder with `input.json`; `npm test -- src/compiler/golden-conversations -u` writes what is expected. */
const cases = readdirSync(folder)

/** Holds for a whole run; a request may say otherwise. */
interface Settings {
  /** One that comes with the product, or one with other epochs. */
  readonly policy: string | { readonly id: string; readonly epochs: Partial<EpochPolicy> }
  readonly windowTokens: number
  readonly overheadTokens?: number
  readonly maxOutputTokens?: number
  readonly prices: CachePrices
  readonly rehydration: boolean
  readonly handleKey: string
}

interface GoldenRequest extends Partial<Settings> {
  /** The newest item of the request. */
  readonly upTo: string
  readonly nowMs: number
  /** Items that this request does not hold. */
  readonly drop?: readonly string[]
  /** Other texts, by item. */
  readonly replace?: Readonly<Record<string, string>>
}

interface GoldenCase {
  readonly about: string
  /** The same requests, once for each. */
  readonly runs: readonly Settings[]
  readonly requests: readonly GoldenRequest[]
  /** The whole conversation; texts of several lines are lists. */
  readonly items: readonly (Omit<Item, 'text'> & { readonly text: string | readonly string[] })[]
}

function policyOf(named: Settings['policy']): Policy {
  const { id, epochs } = typeof named === 'string' ? { id: named, epochs: {} } : named
  const policy = policies[id]
  if (policy === undefined) throw new Error(`${id} is no policy`)
  return { ...policy, version: '0.0.0-golden', reserveShare: 0, epochs: { ...singleEpochs(policy), ...epochs } }
}

/** Without what has tests of its own, so that a case shows one epoch at a time; tuning a policy leaves the cases as they are. */
function singleEpochs({ id }: Policy): EpochPolicy {
  const { compaction: _, oldText: __, replacedTokens: ___, ...others } = careful.epochs
  return id === 'thrifty' ? { ...others, ...toOneLine } : others
}

const toOneLine: Partial<EpochPolicy> = {
  lowestRung: 'line',
  keepFull: 4,
  keepTokens: 1_500,
  keepErrors: 3,
  lineWorth: 1,
  callTokens: 120,
  media: 'any',
  loanShare: 0.1,
  loanWithin: 0.2,
  patience: 1.2,
  reserveCalls: 0.1,
}

function itemsOf({ items }: GoldenCase, { upTo, drop = [], replace = {} }: GoldenRequest): readonly Item[] {
  const end = items.findIndex(({ id }) => id === upTo) + 1
  return items
    .slice(0, end)
    .filter(({ id }) => !drop.includes(id))
    .map(({ text, ...item }) => ({
      ...item,
      text: replace[item.id] ?? (typeof text === 'string' ? text : text.join('\n')),
    }))
}

function inputOf(golden: GoldenCase, request: GoldenRequest, settings: Settings): CompileInput {
  const { policy, windowTokens, overheadTokens, maxOutputTokens, prices, rehydration, handleKey } = {
    ...settings,
    ...request,
  }
  return {
    items: itemsOf(golden, request),
    budget: {
      windowTokens,
      ...(overheadTokens === undefined ? {} : { overheadTokens }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    },
    policy: policyOf(policy),
    layout: 'messages',
    nowMs: request.nowMs,
    prices,
    rehydration,
    handleKey,
  }
}

interface Shown {
  readonly itemId: string
  /** Rung, reason and tokens in one line. */
  readonly line: string
  /** Where it is not the item's own. */
  readonly text: string | undefined
}

function shownItems({ items }: CompileInput, { pack, manifest }: CompileResult): readonly Shown[] {
  const entries = new Map(pack?.entries.map((entry) => [entry.itemId, entry]))
  const own = new Map(items.map(({ id, text }) => [id, text]))
  return manifest.decisions.map(({ itemId, rung, reason, tokens, originalTokens }) => {
    const text = entries.get(itemId)?.text
    return {
      itemId,
      line: `${itemId}: ${rung}, ${reason}, ${tokens} of ${originalTokens}`,
      text: text === own.get(itemId) ? undefined : text,
    }
  })
}

/** What is as it was in the request before is counted, not repeated. */
function itemLines(shown: readonly Shown[], before: readonly Shown[]): readonly string[] {
  const last = new Map(before.map((item) => [item.itemId, item]))
  const lines: string[] = []
  let same = 0
  const flush = (): void => {
    if (same > 0) lines.push(`(${same} as before)`)
    same = 0
  }
  for (const { itemId, line, text } of shown) {
    const known = last.get(itemId)
    if (known?.line === line && known.text === text) {
      same += 1
      continue
    }
    flush()
    lines.push(text === undefined || text !== known?.text ? line : `${line}, text as before`)
    if (text !== undefined && text !== known?.text) lines.push(text.replace(/^/gm, '    | '))
  }
  flush()
  return lines
}

function headOf(request: GoldenRequest, { outcome, pack, manifest }: CompileResult): readonly string[] {
  const { epoch, decision, cause } = manifest.epoch ?? {}
  const changes = Object.entries(request).filter(([key]) => key !== 'upTo')
  return [
    `=== up to ${request.upTo}, ${changes.map(([key, value]) => `${key} ${JSON.stringify(value)}`).join(', ')}`,
    `outcome: ${JSON.stringify(outcome)}`,
    `epoch ${epoch}: ${decision}, ${cause}`,
    `tokens: ${pack?.tokens ?? 'no pack'} of ${manifest.originalTokens}`,
  ]
}

/** The whole session under these settings, request by request, the ledger handed on. */
function transcript(golden: GoldenCase, settings: Settings): string {
  const compiler = newCompiler()
  let ledger: Ledger | undefined
  let before: readonly Shown[] = []
  const parts = golden.requests.map((request) => {
    const input = inputOf(golden, request, settings)
    const result = compiler.compile({ ...input, ...(ledger === undefined ? {} : { ledger }) })
    ledger = result.ledger
    const shown = shownItems(input, result)
    const lines = [...headOf(request, result), ...itemLines(shown, before)]
    before = shown
    return `${lines.join('\n')}\n`
  })
  return `##### ${JSON.stringify(settings)}\n\n${parts.join('\n')}`
}

describe('golden conversations', () => {
  it.each(cases)('%s', async (name) => {
    const golden = JSON.parse(readFileSync(resolve(folder, name, 'input.json'), 'utf8')) as GoldenCase
    const expected = golden.runs.map((settings) => transcript(golden, settings)).join('\n')
    await expect(`${golden.about}\n\n${expected}`).toMatchFileSnapshot(resolve(folder, name, 'expected.txt'))
  })
})
