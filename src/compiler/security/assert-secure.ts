import type { CompileInput, InjectionDetector, PackMessage, SecurityCause, SecurityRecord } from '../../core/index.ts'
import { isQuarantined, trustOf } from '../../defense/index.ts'
import type { Form } from '../forms/form.ts'
import type { Candidate } from '../items/candidate.ts'
import { security } from './judge-items.ts'

export interface SecureInput {
  readonly input: CompileInput
  readonly candidates: readonly Candidate[]
  readonly forms: readonly (Form | undefined)[]
  readonly messages: readonly PackMessage[]
  readonly boundary: string | undefined
  readonly detector: InjectionDetector
  readonly record: SecurityRecord
  hash(text: string): string
  traceId(): string
}

/** Why a pack may not leave, and the item that it is about. */
interface Fault {
  readonly message: string
  readonly itemId?: string
  readonly score?: number
  readonly reasons?: readonly string[]
}

type Assertion = (input: SecureInput) => Fault | undefined

/** What must be true of a pack that a policy defends, or that has boundaries; a new assertion is a new line here. */
const assertions: readonly (readonly [SecurityCause, Assertion])[] = [
  ['policy-changed', policyIntact],
  [
    'boundary-broken',
    ({ boundary, messages }) => (boundary === undefined ? undefined : boundariesIntact(boundary, messages)),
  ],
  ['suspected-data', dataIsData],
  [
    'surface',
    ({ input: { policy }, record: { surface } }) => {
      const most = policy.defense?.maxSurface ?? 1
      return surface <= most ? undefined : { message: `The surface for injection is ${surface.toFixed(3)} of ${most}.` }
    },
  ],
]

const remedy = 'Send less that is not trusted, or look at what changed it on its way: ladders, sources, layers.'

/** Throws `security` that names the first assertion that does not hold. */
export function assertSecure(input: SecureInput): void {
  for (const [cause, check] of assertions) {
    const fault = check(input)
    if (fault === undefined) continue
    const { message, ...about } = fault
    throw security(cause, `${message} ${remedy}`, { ...about, traceId: input.traceId(), remedy })
  }
}

/** The instructions of section `policy` that came in are those that go out, by their hash; in a payload they stand in its messages. */
function policyIntact({ candidates, forms, messages, input, record, hash }: SecureInput): Fault | undefined {
  const policies = candidates.flatMap(({ item }, index) =>
    item.section === 'policy' ? [{ item, form: forms[index] }] : [],
  )
  const isSame = hash(JSON.stringify(policies.map(({ item }) => item.text))) === record.policyHash
  const stands = ({ fragment }: Form): boolean => messages.some(({ text }) => text.includes(fragment))
  const isThere = input.layout === 'messages' || policies.every(({ form }) => form !== undefined && stands(form))
  return isSame && isThere ? undefined : { message: 'The system policy is not sent as it came.' }
}

const marks = /<<<(END_)?SECTION:([^:>\n]{1,80}):([^>\n]{1,80})>>>/g

/** Every mark with the boundary opens or closes a section in its turn, and the boundary stands nowhere else. */
function boundariesIntact(boundary: string, messages: readonly PackMessage[]): Fault | undefined {
  const broken = { message: 'The boundaries of the sections do not stand as they were set.' }
  let count = 0
  let open: string | undefined
  let times = 0
  for (const { text } of messages) {
    times += text.split(boundary).length - 1
    for (const [, isEnd, name, own] of text.matchAll(marks)) {
      if (own !== boundary) continue
      count += 1
      if (isEnd === undefined ? open !== undefined : open !== name) return broken
      open = isEnd === undefined ? name : undefined
    }
    if (open !== undefined) return broken
  }
  return count === times && count > 0 ? undefined : broken
}

/** What is shown of untrusted texts scores below the threshold, but for what stands in quarantine, what a conversation had sent before, and what the policy lets pass. */
function dataIsData({ input, candidates, forms, detector, record }: SecureInput): Fault | undefined {
  const { defense } = input.policy
  if (defense === undefined || (defense.untrusted !== 'quarantine' && defense.untrusted !== 'reject')) return undefined
  const kept = new Set(record.findings?.flatMap(({ itemId, action }) => (action === 'kept' ? [itemId] : [])))
  for (const [index, { item }] of candidates.entries()) {
    const text = forms[index]?.entry.text
    // What is shown as it came has been judged.
    if (text === undefined || text === '' || text === item.text || item.frozen === true) continue
    if (trustOf(item) !== 'untrusted' || isQuarantined(text) || kept.has(item.id)) continue
    const { section, kind } = item
    const { score, reasons } = detector.score(text, { trust: 'untrusted', section, kind })
    if (score >= defense.threshold && score > 0)
      return { message: `${item.id} scores ${score} as it is shown.`, itemId: item.id, score, reasons }
  }
  return undefined
}
