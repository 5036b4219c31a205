import type { PackSummary } from './api/answers.ts'
import { count } from './format.ts'

type Told = Pick<PackSummary, 'mode' | 'sentAs' | 'shortage' | 'result' | 'manifest'>

/** The name of the figure for the tokens of a request. */
export function sentName({ sentAs, shortage }: Told): string {
  if (sentAs === 'refused') return 'Asked for'
  if (sentAs === 'packed') return 'Sent'
  return shortage === null ? 'Would have been sent' : 'Sent unchanged'
}

/** What was sent of a request that was not packed, and why. */
export function sentAsWords({ mode, sentAs, shortage, result, manifest }: Told): string {
  if (mode === 'unpacked')
    return `This request could not be read or packed (${failedAt(result)}). The gateway sent the client's bytes unchanged and did not read them.`
  const by = result?.layers?.find(
    ({ outcome }) => outcome === 'answered' || outcome === 'refused' || outcome === 'failed',
  )
  if (mode === 'answered' || (sentAs === 'nothing' && by !== undefined))
    return `Nothing was sent: the layer ${by?.name ?? 'unknown'} ${by?.outcome ?? 'answered'} the request.`
  if (sentAs === 'nothing') return 'This receipt is of a compile alone: nothing was sent.'
  const why = shortage
    ? ` It needs ${count(shortage.neededTokens)} tokens and the window has ${count(shortage.availableTokens)}: ${shortage.why}.`
    : ''
  if (sentAs === 'refused') return `The gateway refused this request and sent nothing.${why}`
  if (shortage) return `The model was sent all ${count(manifest.originalTokens)} tokens, unchanged.${why}`
  return `In mode ${mode} the gateway sends the client's bytes unchanged. Below is what it would have sent in mode on.`
}

/** The stage that failed, and the field of the request for which it did. */
function failedAt(result: Told['result']): string {
  const stages = result?.skipped?.join(', ') ?? 'unknown'
  return result?.unreadField === undefined ? stages : `${stages}: ${result.unreadField}`
}
