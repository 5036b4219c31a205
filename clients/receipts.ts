import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import type { Receipt, ReceiptSummary } from '../src/stores/index.ts'
import { root } from './play.ts'

/** What a gateway's receipts say of a job, asked as a user asks: by the command line. */
export interface ReceiptsOfJob {
  readonly receipts: readonly ReceiptSummary[]
  /** What is wrong with those that were looked at. */
  readonly problems: readonly string[]
}

const prehend = join(root, 'src/cli/main.ts')

/** Reads the receipts in a data folder, and has the last and the most packed one explained and verified. */
export function receiptsIn(data: string): ReceiptsOfJob {
  const ask = (...args: readonly string[]): unknown =>
    JSON.parse(
      execFileSync(process.execPath, [prehend, ...args, '--data', data, '--json'], {
        encoding: 'utf8',
        maxBuffer: 2 ** 28,
      }),
    )
  const { packs } = ask('packs', '--limit', '1000') as { readonly packs: readonly ReceiptSummary[] }
  const receipts = packs.toSorted((a, b) => a.sequence - b.sequence)
  const bySaving = receipts.toSorted((a, b) => savedBy(b) - savedBy(a))
  const chosen = new Set([receipts.at(-1), bySaving[0]])
  const problems = [...chosen].flatMap((receipt) => {
    if (receipt === undefined) return []
    const explained = isExplained(ask('packs', receipt.requestId) as Receipt)
    return [
      ...(explained ? [] : [`receipt ${receipt.requestId} does not give a reason for every item`]),
      ...(verifies(ask, receipt.requestId) ? [] : [`receipt ${receipt.requestId} does not verify`]),
    ]
  })
  return { receipts, problems }
}

export function savedBy({ originalTokens, packTokens }: ReceiptSummary): number {
  return originalTokens - packTokens
}

function isExplained({ manifest: { decisions } }: Receipt): boolean {
  return decisions.length > 0 && decisions.every(({ reason }) => reason.length > 0)
}

/** The exit code of `verify` is 1 where the bytes differ. */
function verifies(ask: (...args: readonly string[]) => unknown, id: string): boolean {
  try {
    return (ask('verify', id) as { readonly verified: boolean }).verified
  } catch {
    return false
  }
}
