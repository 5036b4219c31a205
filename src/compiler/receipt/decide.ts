import type { ManifestDecision, ReasonCode } from '../../core/index.ts'
import type { Candidate } from '../candidate.ts'
import { sharedLength } from '../read-candidates.ts'
import type { Shown } from '../shown-form.ts'
import type { Solution } from '../solve-pack.ts'
import { decisionOf } from './decision.ts'

/** One decision per candidate, in order; for pages, those of the first. */
export type Decide = (solution: Solution, laterPages: readonly Solution[]) => readonly ManifestDecision[]

/** Where an item is shown as in the compile before and nothing but its form has a say, its decision is the same. */
export function decider(): Decide {
  let last = { version: 0, key: '', forms: noForms, decisions: noDecisions }
  return (solution, laterPages) => {
    const { job, forms } = solution
    const plain = job.dropped.size + solution.without.size + solution.grouped.size + laterPages.length === 0
    const held = solution.history?.held === true
    const key = plain ? `${job.rankKey} ${job.setting.handleKey} ${held}` : ''
    const same = key === last.key ? sharedLength(job.list, last.version) : 0
    const decisions: ManifestDecision[] = []
    for (let index = 0; index < job.candidates.length; index += 1) {
      const known = index < same && forms[index] === last.forms[index] ? last.decisions[index] : undefined
      decisions.push(known ?? decide({ solution, index, laterPages }))
    }
    last = plain ? { version: job.list.version, key, forms, decisions } : { ...last, version: 0 }
    return decisions
  }
}

const noForms: readonly (Shown | undefined)[] = []
const noDecisions: readonly ManifestDecision[] = []

interface Place {
  readonly solution: Solution
  readonly index: number
  readonly laterPages: readonly Solution[]
}

function decide(place: Place): ManifestDecision {
  const { job, forms } = place.solution
  const { index } = place
  const form = forms[index]
  const rung = form?.rendition.rung ?? 'omitted'
  const lossless = rung === 'full' || rung === 'lossless'
  const candidate = job.candidates[index] as Candidate
  return decisionOf(candidate, {
    rung,
    reason: reasonOf(place),
    originalTokens: job.fullTokens[index] ?? 0,
    tokens: form?.tokens ?? 0,
    score: job.scores[index],
    handle: lossless ? undefined : job.setting.handleOf(candidate),
  })
}

function reasonOf({ solution, index, laterPages }: Place): ReasonCode {
  const { job, forms, without, grouped } = solution
  const form = forms[index]
  const item = job.candidates[index]?.item
  if (form === undefined) {
    const known = job.dropped.get(index) ?? without.get(index) ?? (grouped.has(index) ? 'group' : undefined)
    if (known !== undefined) return known
    if (laterPages.some((page) => page.forms[index] !== undefined)) return 'deferred'
    return isHeld(solution, index) ? 'ledger' : 'section-budget'
  }
  if (form.rendition.rung === 'lossless') return 'lossless'
  if (form.rendition.rung !== 'full') return isHeld(solution, index) ? 'ledger' : 'section-budget'
  if (item?.pin === true) return 'pinned'
  return item?.frozen === true ? 'frozen' : 'fits'
}

/** Shown as in the last request, so that its bytes stay in the provider's cache. */
function isHeld({ job, history }: Solution, index: number): boolean {
  return history?.held === true && job.candidates[index]?.item.section === 'history'
}
