import { hasPack } from '../../../core/index.ts'
import { isAnsweredHere } from './receipt-result.ts'
import type { Receipt } from './receipt.ts'

/**
 * What reached the model: the pack; the client's own bytes; or nothing, since the gateway refused the request, a layer answered it or,
 * of a compile alone, there was nothing to send.
 */
export type SentAs = 'packed' | 'unchanged' | 'refused' | 'nothing'

type Told = Pick<Receipt, 'mode' | 'dialect' | 'manifest' | 'result'>

export function sentAs({ mode, dialect, manifest, result }: Told): SentAs {
  if (dialect === 'compile') return 'nothing'
  const isAnswered = result !== undefined && isAnsweredHere(result)
  if (mode === 'answered') return isAnswered ? 'nothing' : 'refused'
  if (mode === 'unpacked') return 'unchanged'
  if (isAnswered) return 'nothing'
  if (mode === 'observe') return 'unchanged'
  // A provider that refuses has taken some time, and has said so.
  const isRefused =
    result !== undefined && result.status >= 400 && result.upstreamMs === 0 && result.answer === undefined
  if (isRefused || manifest.outcome === 'split-required' || manifest.outcome === 'paginated') return 'refused'
  return hasPack(manifest) ? 'packed' : 'unchanged'
}
