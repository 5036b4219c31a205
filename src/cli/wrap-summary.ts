import { setTimeout } from 'node:timers/promises'
import { addedCost, costOfResult, noCost } from '../stores/index.ts'
import type { ReceiptSummary } from '../stores/index.ts'
import { counted } from './counted.ts'
import { unrecordedText } from './own-requests.ts'
import type { OwnRequests } from './own-requests.ts'
import type { Receipts } from './receipts.ts'
import { costLine, simulatedNote } from './session-report.ts'

export interface EndedRun {
  readonly program: string
  /** What the program needs, which neither variables nor arguments can give. */
  readonly needs: string | undefined
  /** The exit code of the program. */
  readonly code: number
  readonly requests: Pick<OwnRequests, 'answered' | 'unrecorded' | 'problem' | 'isReached'>
  /** The name of the store. */
  readonly store: string
}

/** What the requests of one run came to; where none was answered, why. */
export async function runSummary(receipts: Pick<Receipts, 'list'>, run: EndedRun): Promise<string> {
  const ids = run.requests.answered()
  if (ids.size > 0) return answeredLine(await endedReceipts(receipts, ids), run)
  const problem = run.requests.problem()
  return problem === undefined ? nothingCame(run) : `no request was answered: ${problem}`
}

function answeredLine(own: readonly ReceiptSummary[], { requests, store }: EndedRun): string {
  const results = own.flatMap(({ result }) => result ?? [])
  const cost = results.flatMap((result) => costOfResult(result) ?? []).reduce(addedCost, noCost)
  const recorded = new Set(own.map(({ requestId }) => requestId))
  const answered = requests.answered()
  const { ids, why } = requests.unrecorded()
  const lost = [...ids].filter((id) => answered.has(id) && !recorded.has(id)).length
  const without = `${lost} of ${counted(answered.size, 'request')} ${lost === 1 ? 'was' : 'were'} forwarded without a record: ${unrecordedText(why, store)}`
  if (cost.requests === 0) return lost > 0 ? without : 'requests were answered, and none has a receipt'
  const note = results.every(({ simulated }) => simulated) ? `; ${simulatedNote}` : ''
  const told = `${costLine(cost, own)}${note}`
  return lost === 0 ? told : `${without}. Of the ${own.length} recorded: ${told}`
}

function nothingCame({ program, needs, code, requests }: EndedRun): string {
  if (requests.isReached())
    return `${program} sent no request to a model${code === 0 ? '' : `, and ended with code ${code}`}`
  const elsewhere =
    needs === undefined ? `${program} may read where its models are from elsewhere` : `${program}: ${needs}`
  const hint =
    code === 0
      ? ''
      : `. ${program} ended with code ${code}. Options of prehend go before the program's name: prehend wrap --policy thrifty ${program}`
  return `no request came here to be packed; ${elsewhere}${hint}`
}

const pageSize = 500
/** Other gateways may write to the same store meanwhile. */
const mostPages = 40

/** Results are stored behind the answers, so the last may take a moment. */
const waitMs = 100
const mostWaits = 5

async function endedReceipts(receipts: Pick<Receipts, 'list'>, ids: ReadonlySet<string>): Promise<ReceiptSummary[]> {
  for (let waits = 0; ; waits += 1) {
    const found = await receiptsOf(receipts, ids)
    const ended = found.filter(({ result }) => result !== undefined)
    if (ended.length === ids.size || waits === mostWaits) return ended
    await setTimeout(waitMs)
  }
}

/** The receipts of these requests, which are among the newest. */
async function receiptsOf({ list }: Pick<Receipts, 'list'>, ids: ReadonlySet<string>): Promise<ReceiptSummary[]> {
  const found: ReceiptSummary[] = []
  let before: number | undefined
  for (let page = 0; page < mostPages && found.length < ids.size; page += 1) {
    const rows = await list({ limit: pageSize, ...(before !== undefined && { before }) })
    found.push(...rows.filter(({ requestId }) => ids.has(requestId)))
    before = rows.at(-1)?.sequence
    if (rows.length < pageSize) break
  }
  return found
}
