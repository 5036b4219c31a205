import { isQuarantined, trustOf } from '../../../defense/index.ts'
import type { InjectionScore } from '../../../core/index.ts'
import type { Case, Finding } from './finding.ts'
import { lineOf } from './finding.ts'

/** Lower than where a policy should act: whoever looks for a cause wants hints. */
const suspected = 0.45
const innocent: InjectionScore = { score: 0, reasons: [] }

/** A line by itself: what stands among much that is harmless may hide there. */
function worstLine(
  text: string,
  scoreOf: (line: string) => InjectionScore | undefined,
): { readonly index: number; readonly found: InjectionScore } {
  let worst = { index: 0, found: innocent }
  for (const [index, line] of text.split('\n').entries()) {
    const found = line.trim() === '' ? undefined : scoreOf(line)
    if (found !== undefined && found.score > worst.found.score) worst = { index, found }
  }
  return worst
}

/** Data that gives orders to who reads it, where it stands as it came. */
export function poisoned({ input, shown, handles, detector }: Case): readonly Finding[] {
  return input.items.flatMap((item): readonly Finding[] => {
    const text = shown.get(item.id)
    if (text === undefined || text === '' || isQuarantined(text) || trustOf(item) !== 'untrusted') return []
    const context = { trust: 'untrusted', section: item.section, kind: item.kind } as const
    const whole = detector.score(text, context)
    const worst = worstLine(item.text, (line) => (text.includes(line) ? detector.score(line, context) : undefined))
    const { score, reasons } = worst.found.score > whole.score ? worst.found : whole
    if (score < suspected) return []
    return [
      {
        cause: 'poisoned',
        weight: 0.5 + score / 2,
        why: `Data is suspected to hold orders (${reasons.join(', ')}; ${score.toFixed(2)}), and the model reads it as it came.`,
        texts: [lineOf({ handles }, item, worst.index)],
        remedy: 'Leave it out, or choose a policy that quotes such data (defense.untrusted: "quarantine").',
      },
    ]
  })
}
