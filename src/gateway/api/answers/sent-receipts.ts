import { shownManifest } from '../../../core/index.ts'
import { sentAs } from '../../../stores/index.ts'
import type { Receipt } from '../../../stores/index.ts'

/** Whether a provider was sent the request and took it: what a provider has refused costs nothing. */
export function wasSent(receipt: Receipt): boolean {
  const how = sentAs(receipt)
  if (receipt.result !== undefined && (receipt.result.status === 0 || receipt.result.status >= 400)) return false
  return receipt.mode !== 'unpacked' && (how === 'packed' || how === 'unchanged')
}

/** In mode observe everything was sent, whatever the compile has decided. */
export function sentManifest(receipt: Receipt): ReturnType<typeof shownManifest> {
  const { manifest } = receipt
  return sentAs(receipt) === 'unchanged' ? shownManifest({ ...manifest, outcome: 'budget-exhausted' }) : manifest
}
