import { describe, expect, it } from 'vitest'
import type { StrategyReport } from '../src/inspect/index.ts'
import { judged, policyAims, policyGates } from './policy-gates.ts'
import type { GatedFigures, GatedSession, JudgedBy } from './policy-gates.ts'

const report = (figures: Partial<StrategyReport>): StrategyReport =>
  ({
    recallByAge: [],
    recallByCompactions: [],
    compactions: 0,
    referencesAmbiguous: 0,
    unreadLinesReplaced: 0,
    ...figures,
  }) as unknown as StrategyReport

const session = (figures: Partial<GatedSession>): GatedSession => ({
  id: 's',
  report: report({}),
  requests: 20,
  cost: 0.5,
  settledAll: 0.5,
  ...figures,
})

const longPlain: JudgedBy = { policy: 'balanced', set: 'long', rules: 'plain' }

function missed(figures: Partial<GatedFigures>, by: JudgedBy = longPlain): readonly string[] {
  return judged({ report: report({}), sessions: [], ...figures }, by).flatMap(({ asked, met }) => (met ? [] : [asked]))
}

describe('gates of policies', () => {
  it('are met where a set has nothing of what they measure', () => {
    expect(missed({})).toEqual([])
  })

  it('are missed below the least and above the most', () => {
    expect(missed({ report: report({ editTextRecall: 0.939, failuresHidden: 1 }) })).toEqual([
      'edits: at least 0.94',
      'failures hidden: at most 0',
    ])
    expect(missed({ report: report({ editTextRecall: 0.94, failuresHidden: 0 }) })).toEqual([])
  })

  it('take the dearest session of ten requests and more, and a bound of the rules where they have one', () => {
    const sessions = [session({ requests: 9, cost: 2 }), session({ cost: 1.006, settledAll: 1.06 })]
    expect(missed({ sessions })).toEqual(['dearest session of ten requests and more, settled: at most 1.05'])
    const careful = { policy: 'careful', set: 'swe' } as const
    const asked = 'dearest session of ten requests and more: at most 1 (openai: 1.01)'
    expect(missed({ sessions }, { ...careful, rules: 'plain' })).toContain(asked)
    expect(missed({ sessions }, { ...careful, rules: 'openai' })).not.toContain(asked)
  })

  it('hold for each session where they say so', () => {
    const recalls = (...edits: readonly number[]) => ({
      report: report({ editTextRecall: 0.98 }),
      sessions: edits.map((editTextRecall) => session({ report: report({ editTextRecall }) })),
    })
    const careful = { policy: 'careful', set: 'long', rules: 'plain' } as const
    expect(missed(recalls(0.99, 0.96), careful)).toEqual([])
    expect(missed(recalls(0.99, 0.94), careful)).toEqual(['edits, each session: at least 0.95'])
  })

  it('count requests for a compaction, and recall after one', () => {
    const after = (own: number) => ({ compactions: '1', lines: none, own: { uses: 10, recall: own }, edits: none })
    const none = { uses: 0, recall: null }
    const figures = (compactions: number, own: number): Partial<GatedFigures> => ({
      report: report({ compactions, recallByCompactions: [after(own)] }),
      sessions: [session({ requests: 100 })],
    })
    expect(missed(figures(2, 0.9))).toEqual([])
    expect(missed(figures(3, 0.8))).toEqual([
      'own calls after one compaction: at least 0.9',
      'requests for a compaction: at least 40',
    ])
  })

  it('have aims beside them, which are told apart', () => {
    const results = judged({ report: report({ settledAllCostRatio: 0.28 }), sessions: [] }, longPlain)
    expect(results.at(-1)).toEqual({ asked: 'settled all: at most 0.27', value: 0.28, met: false, isAim: true })
    expect(Object.keys(policyAims)).toEqual(Object.keys(policyGates))
    expect(judged({ report: report({}), sessions: [] }, { ...longPlain, policy: 'governor' })).toEqual([])
  })
})
