import { isPrehendError, stableJson } from '../core/index.ts'
import type { CompileInput, CompileResult, Exchange, Pack } from '../core/index.ts'
import { codecFor } from '../codecs/index.ts'
import type { Codec } from '../codecs/index.ts'
import { verifyManifest } from '../compiler/index.ts'
import type { ManifestDifference, Verification } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import type { LaterRound, Receipt, RecordedRequest } from '../stores/index.ts'
import { withOverlay } from './branches.ts'
import { standing, withCollected } from './collected.ts'
import { heardItems } from './heard-items.ts'
import { saidBeforeReader } from './said-before.ts'
import { roundBody } from './tools/round-body.ts'
import { withModel } from './with-model.ts'

export interface ReceiptToVerify {
  readonly receipt: Receipt
  /** What was compiled. */
  readonly input: CompileInput
  readonly compile: (input: CompileInput) => CompileResult
}

/**
 * Compiles a receipt's request again and, where the receipt holds it, reads and writes its body again: decisions member by
 * member, the items that were compiled, and the bytes that were sent by their hash: those of the request, and those of each
 * round of our own tools that followed it.
 */
export function verifyReceipt({ receipt, input, compile }: ReceiptToVerify): Verification {
  const { manifest, request } = receipt
  const verification = verifyManifest({ input, manifest, compile })
  if (!request) return verification
  const { pack, outcome } = verification.result
  // Of pages none was sent.
  const sent = outcome.kind === 'paginated' ? undefined : pack
  const differences = [...verification.differences, ...requestDifferences(receipt, request, sent)]
  return { ...verification, verified: differences.length === 0, differences }
}

/** The body that a receipt's request was sent as, made again; undefined for a compile alone, and where nothing of the request is held. */
export function sentBody({ receipt, input, compile }: ReceiptToVerify): string | undefined {
  const { dialect, request, model } = receipt
  if (dialect === 'compile' || !request) return undefined
  const { pack, outcome } = compile(input)
  if (!pack || outcome.kind === 'paginated' || receipt.mode !== 'on') return request.body
  const codec = codecFor(dialect)
  return bodyAgain(codec, withModel(exchangeAgain(codec, request), model), { request, pack })
}

function requestDifferences(
  { dialect, mode, packId, input, model, result }: Receipt,
  request: RecordedRequest,
  pack: Pack | undefined,
): readonly ManifestDifference[] {
  if (dialect === 'compile') return []
  if (mode === 'unpacked') return difference('sent', packId, sha256(request.body))
  try {
    const codec = codecFor(dialect)
    const exchange = withModel(exchangeAgain(codec, request), model)
    const { items, editing } = exchange.conversation
    const body = pack ? bodyAgain(codec, exchange, { request, pack }) : request.body
    return [
      difference('model', model ?? '', exchange.conversation.model),
      difference('items', stableJson(input?.items ?? []), stableJson(heardItems(items, editing))),
      difference('sent', packId, sha256(body)),
      roundDifferences(result?.rounds ?? [], pack && { codec, exchange, request, pack }),
    ].flat()
  } catch (error) {
    return difference('sent', packId, isPrehendError(error) ? error.message : 'not to be written')
  }
}

interface Again extends Shown {
  readonly codec: Codec
  readonly exchange: Exchange
}

/** Rounds that were sent without a pack, or of which nothing was recorded, prove nothing. */
function roundDifferences(rounds: readonly LaterRound[], again: Again | undefined): readonly ManifestDifference[] {
  const said: string[] = []
  return rounds.flatMap(({ hash, messages }, index) => {
    const field = `rounds[${index}]`
    if (!again || !messages) return difference(field, hash, 'not recorded')
    said.push(...messages)
    const { codec, exchange, request, pack } = again
    const { breakpoints, tools } = request
    const shown = { pack: { ...pack, breakpoints }, tools, messages: said, made: madeIn(request) }
    const body = roundBody(codec, exchange, shown)
    return difference(field, hash, sha256(body))
  })
}

function difference(field: string, expected: string, actual: string): readonly ManifestDifference[] {
  return expected === actual ? [] : [{ field, expected, actual }]
}

function exchangeAgain(codec: Codec, { path, body, overlay, collected = [] }: RecordedRequest): Exchange {
  const received = codec.decode({ body, ...(path !== undefined && { path }) })
  const { restored, placed } = withOverlay(codec, received, {
    overlay,
    last: undefined,
    saidBefore: saidBeforeReader(),
  })
  return withCollected(restored, collected, standing(restored, placed))
}

interface Shown {
  readonly request: RecordedRequest
  readonly pack: Pack
}

function bodyAgain(codec: Codec, exchange: Exchange, { request, pack }: Shown): string {
  const { breakpoints, tools } = request
  const made = madeIn(request)
  return codec.encode(exchange, {
    pack: { ...pack, breakpoints },
    ...(made && { made }),
    ...(tools.length > 0 && { hiddenTools: tools }),
  })
}

function madeIn({ made }: RecordedRequest): ReadonlyMap<string, string> | undefined {
  return made && new Map(Object.entries(made))
}
