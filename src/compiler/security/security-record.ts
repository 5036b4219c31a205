import type { CompileInput, Hasher, InjectionDetector, SecurityFinding, SecurityRecord } from '../../core/index.ts'
import { isQuarantined, surfaceOf, trustOf } from '../../defense/index.ts'
import type { ExposedText, Isolation } from '../../defense/index.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import type { LayoutPlan } from '../layout/layout-of.ts'
import type { Judged } from './judge-items.ts'

export interface SecurityInput {
  readonly input: CompileInput
  readonly detector: InjectionDetector
  readonly hash: Hasher
  readonly judged: Judged
  readonly layout: LayoutPlan
  /** Of each candidate, as it is sent. */
  readonly forms: readonly (Form | undefined)[]
  readonly packTokens: number
}

/** What was found and done; undefined where nobody has asked for any of it. */
export function securityRecord(given: SecurityInput): SecurityRecord | undefined {
  const { input, detector, judged, layout, forms } = given
  const { defense } = input.policy
  if (defense === undefined && layout.boundary === undefined) return undefined
  return {
    policyHash: policyHash(given.hash, judged.list.candidates, forms),
    surface: surfaceIn(given),
    ...(layout.boundary !== undefined && { boundaryEpoch: layout.boundary.epoch }),
    ...(defense !== undefined && {
      detector: detector.id,
      threshold: defense.threshold,
      findings: judged.suspects.map((suspect): SecurityFinding => {
        const { itemId, score, reasons, index } = suspect
        return { itemId, score, reasons, action: index < 0 ? 'logged' : actionOf(given, index) }
      }),
      ...(judged.strippedIds.length > 0 && { strippedIds: judged.strippedIds }),
    }),
  }
}

/** The hash of the instructions that come before all others, as they are shown. */
function policyHash(hash: Hasher, candidates: readonly Candidate[], forms: readonly (Form | undefined)[]): string {
  const texts = candidates.flatMap(({ item }, index) => {
    const text = forms[index]?.entry.text
    return item.section === 'policy' && text !== undefined ? [text] : []
  })
  return hash(JSON.stringify(texts))
}

function actionOf({ forms, judged, input }: SecurityInput, index: number): SecurityFinding['action'] {
  const form = forms[index]
  if (form === undefined) return 'left-out'
  if (isQuarantined(form.entry.text)) return 'quarantined'
  const isWanted =
    judged.list.candidates[index]?.dress !== undefined && input.policy.defense?.untrusted === 'quarantine'
  return isWanted ? 'kept' : 'logged'
}

type Exposing = Pick<SecurityInput, 'input' | 'judged' | 'layout' | 'forms' | 'packTokens'>

/** How open what is sent is to orders in data, whether or not anybody has looked for them; in [0, 1]. */
export function surfaceIn(given: Exposing): number {
  return surfaceOf(exposedTexts(given), given.packTokens)
}

function exposedTexts({ judged, forms, layout, input }: Exposing): readonly ExposedText[] {
  const written: Isolation = input.layout === 'messages' ? 'messages' : (layout.markup ?? 'headers')
  const exposed: ExposedText[] = []
  for (const [index, { item }] of judged.list.candidates.entries()) {
    const form = forms[index]
    if (form === undefined || trustOf(item) !== 'untrusted') continue
    const isBounded = layout.boundary !== undefined && (form.message === undefined || written === 'canonical')
    const own = isBounded ? 'bounded' : written
    exposed.push({ tokens: form.tokens, isolation: isQuarantined(form.entry.text) ? 'quarantined' : own })
  }
  return exposed
}
