import type { Entailment } from '../../core/index.ts'
import { textMemo } from '../../core/index.ts'
import { propositionsOf } from '../../ladders/index.ts'
import { isLoss } from './fidelity-of.ts'
import type { FidelityOf } from './measured.ts'

/** Statements of one text that are asked about; of more, as many evenly spread. */
const mostStatements = 400

const enough = 0.5

/**
 * Share of what the originals state that still follows from what is shown, each item weighted by its tokens: 1 for what is shown whole, 0 for
 * what was left out of a conversation. Texts are asked about once.
 */
export function entailedFidelity(entailment: Entailment): FidelityOf {
  const known = textMemo((pair) => {
    const [shown = '', text = ''] = JSON.parse(pair) as readonly string[]
    return keptShare(entailment, shown, text)
  }, rememberedCharacters)
  return ({ list, forms, decisions }) => {
    let all = 0
    let left = 0
    for (const [index, decision] of decisions.entries()) {
      const form = forms[index]
      if (form === undefined && !isLoss(decision)) continue
      const text = list.candidates[index]?.item.text ?? ''
      const { rung } = decision
      const isWhole = rung === 'full' || rung === 'lossless'
      const kept = form === undefined ? 0 : isWhole ? 1 : known.get(JSON.stringify([form.entry.text, text]))
      all += decision.originalTokens
      left += decision.originalTokens * kept
    }
    return all === 0 ? 1 : left / all
  }
}

const rememberedCharacters = 2_000_000

function keptShare(entailment: Entailment, shown: string, text: string): number {
  const statements = statementsOf(text)
  if (statements.length === 0) return 1
  const step = Math.max(1, statements.length / mostStatements)
  let asked = 0
  let kept = 0
  for (let at = 0; at < statements.length; at += step) {
    asked += 1
    if (entailment.entails(shown, statements[Math.floor(at)] ?? '') >= enough) kept += 1
  }
  return kept / asked
}

/** More lines are no paragraph: a log, a table, code. */
const mostWrapped = 3

/** Sentences, items, pairs and headings; of what has many lines, each line. */
function statementsOf(text: string): readonly string[] {
  return propositionsOf(text).flatMap((one) => {
    const lines = one.text.split('\n').filter((line) => line.trim() !== '')
    return lines.length > mostWrapped ? lines : [one.text]
  })
}
