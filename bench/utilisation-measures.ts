import { hash } from 'node:crypto'
import type { CompileInput, Ledger, Policy, Pressure } from '../src/core/index.ts'
import { createCompiler } from '../src/compiler/index.ts'
import { encodingTokenizer, memoCounter } from '../src/tokens/index.ts'
import type { UtilisationCase } from './utilisation-cases.ts'

const tokenizer = memoCounter(encodingTokenizer('o200k_base'))
const compiler = createCompiler({ tokenizer, hash: (text) => hash('sha256', text) })

/** Of what is free of a window, the shares between which a pack is to end where more is asked for than there is. */
export const band = { least: 0.85, most: 0.95 }

/** A policy's words for that band. */
export const namedBand: Pressure = { prepare: band.least, compress: band.most, evict: band.most }

type Packed = ReturnType<typeof compiler.compile>

/** What every request of every case becomes in a window of that size. */
export function* packsOf(
  cases: readonly UtilisationCase[],
  policy: Policy,
  windowTokens: number,
): Generator<{ readonly packed: Packed; readonly input: CompileInput; readonly gold: ReadonlySet<string> }> {
  for (const { requests, gold } of cases) {
    const own = compiler.forConversation()
    let ledger: Ledger | undefined
    for (const request of requests) {
      const asked: CompileInput = {
        ...request,
        policy,
        budget: { windowTokens },
        rehydration: true,
        handleKey: 'bench',
      }
      const input = ledger === undefined ? asked : { ...asked, ledger }
      const packed = own.compile(input)
      ;({ ledger } = packed)
      yield { packed, input, gold }
    }
  }
}

export interface Utilisation {
  /** Packs of which more was asked for than there is, less those that were refused; the others say nothing. */
  packs: number
  within: number
  below: number
  refused: number
  goldShown: number
  gold: number
  readonly shares: number[]
}

/** How much of a window is used where more is asked for than there is. */
export function utilisationOf(cases: readonly UtilisationCase[], policy: Policy, windowTokens: number): Utilisation {
  const sums: Utilisation = { packs: 0, within: 0, below: 0, refused: 0, goldShown: 0, gold: 0, shares: [] }
  for (const { packed, gold } of packsOf(cases, policy, windowTokens)) add(sums, packed, gold)
  return sums
}

function add(sums: Utilisation, { manifest, pack, budget }: Packed, gold: ReadonlySet<string>): void {
  const available = budget.windowTokens - budget.reserveTokens
  if (manifest.originalTokens + (manifest.frameTokens ?? 0) < available) return
  if (pack === undefined) {
    sums.refused += 1
    return
  }
  sums.packs += 1
  sums.shares.push(manifest.utilisation)
  if (manifest.utilisation < band.least) sums.below += 1
  else if (manifest.utilisation <= band.most) sums.within += 1
  for (const { itemId, rung, originalTokens, tokens } of manifest.decisions) {
    if (!gold.has(itemId)) continue
    sums.gold += originalTokens
    sums.goldShown += rung === 'full' || rung === 'lossless' ? originalTokens : tokens
  }
}
