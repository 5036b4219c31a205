import { PrehendError } from '../core/index.ts'
import type { Manifest, Outcome, OverflowPolicy, Pack } from '../core/index.ts'

type RefusedManifest = Pick<
  Manifest,
  'overflow' | 'inputHash' | 'originalTokens' | 'windowTokens' | 'reserveTokens' | 'overheadTokens'
>

/**
 * Why nothing may be sent of a request that has no pack: where its policy says so, where it lets nothing pass that is not a pack
 * (`mustBePacked`), or where only splitting it would help. One that
 * makes pages is several requests, and who has asked for one reply cannot have theirs: it learns what the pages take.
 * The error's `traceId` is the hash of the compile's input. Undefined where the client's own bytes are the lesser harm.
 */
export function refusalOf(
  manifest: RefusedManifest,
  outcome: Outcome,
  mustBePacked = false,
): PrehendError<'budget-exhausted'> | undefined {
  const { overflow, inputHash: traceId } = manifest
  if (outcome.kind === 'paginated') return pagesOf(manifest, outcome.pages)
  const isShort = outcome.kind === 'budget-exhausted' || outcome.kind === 'split-required'
  if (!isShort || (!isRefusing(overflow) && outcome.kind !== 'split-required' && !mustBePacked)) return undefined
  const { neededTokens, availableTokens } = outcome
  const remedy = 'Send less, split the task, or choose a policy that may leave something out.'
  const why =
    outcome.kind === 'split-required'
      ? outcome.reason
      : `The request needs ${neededTokens} tokens and the window has ${availableTokens}.`
  const message = `${why} ${remedy}`
  const mustSplit = outcome.kind === 'split-required' ? ({ mustSplit: true } as const) : {}
  return new PrehendError('budget-exhausted', message, { neededTokens, availableTokens, ...mustSplit, traceId, remedy })
}

/** Who has chosen one of these wants nothing hidden. */
function isRefusing(overflow: OverflowPolicy | undefined): boolean {
  return overflow === 'fail-loud' || overflow === 'paginate'
}

/** Sizes of more pages than these say nothing to anybody. */
const mostSizes = 12

function pagesOf(
  { inputHash: traceId, originalTokens, windowTokens, reserveTokens, overheadTokens }: RefusedManifest,
  pages: readonly Pack[],
): PrehendError<'budget-exhausted'> {
  const sizes = pages.slice(0, mostSizes).map(({ tokens }) => tokens)
  const more = pages.length > mostSizes ? ', …' : ''
  const remedy = `Overflow policy "paginate" makes ${pages.length} requests of it, of ${sizes.join(', ')}${more} tokens: compile it with POST /v1/compile or compile() and send each page by itself, or choose another overflow policy.`
  const availableTokens = Math.max(0, windowTokens - reserveTokens - overheadTokens)
  const message = `The request needs ${originalTokens} tokens and the window has ${availableTokens}. ${remedy}`
  return new PrehendError('budget-exhausted', message, {
    neededTokens: originalTokens,
    availableTokens,
    traceId,
    remedy,
  })
}
