import { isPrehendError, stableJson } from '../core/index.ts'
import type { CompileInput, CompileResult, WireExchange, Item, Pack } from '../core/index.ts'
import { dialects as builtInDialects } from '../codecs/index.ts'
import type { Codec, DialectTable } from '../codecs/index.ts'
import { verifyManifest } from '../compiler/index.ts'
import type { ManifestDifference, Verification } from '../compiler/index.ts'
import { sha256 } from '../host/index.ts'
import type { LaterRound, Receipt, RecordedRequest } from '../stores/index.ts'
import { withOverlay } from './branches.ts'
import { standing, withCollected } from './collected.ts'
import { heardItems } from './heard-items.ts'
import { saidBeforeReader } from './said-before.ts'
import { roundBody } from './tools/round-body.ts'
import { withPins } from './steering/with-pins.ts'
import { withModel } from './with-model.ts'

export interface ReceiptToVerify {
  readonly receipt: Receipt
  /** What was compiled. */
  readonly input: CompileInput
  readonly compile: (input: CompileInput) => CompileResult
  /** Those that the request may be of; those that come with the product by default. */
  readonly dialects?: DialectTable
}

/**
 * Compiles a receipt's request again and, where the receipt holds it, reads and writes its body again: decisions member by
 * member, the items that were compiled, and the bytes that were sent by their hash: those of the request, and those of each
 * round of our own tools that followed it. Of a request that a layer answered nothing was sent: the body that came is compared.
 */
export function verifyReceipt(asked: ReceiptToVerify): ReceiptVerification {
  const { receipt, input, compile, dialects = builtInDialects } = asked
  const { manifest, request } = receipt
  const verification = unlessOfOtherVersion(() => verifyManifest({ input, manifest, compile }))
  if ('notProvable' in verification) return notProvable(receipt, { why: verification.notProvable, dialects })
  const other = verification.differences.find(({ expected, actual }) => expected === absent || actual === absent)
  if (other) {
    const why = `its receipt has other members than those of this version (${other.field})`
    const unproven = notProvable(receipt, { why, dialects })
    // What was recorded contradicts itself whatever the version.
    if (unproven.differences.length === 0) return unproven
  }
  if (!request) return verification
  const { pack, outcome } = verification.result
  // Of pages none was sent.
  const sent = outcome.kind === 'paginated' ? undefined : pack
  const differences = [...verification.differences, ...requestDifferences(receipt, { dialects, request, pack: sent })]
  return { verified: differences.length === 0, differences }
}

/** How `verifyManifest` writes a member that is not there. */
const absent = 'absent'

/** What came of making a request again. */
export interface ReceiptVerification extends Pick<Verification, 'verified' | 'differences'> {
  /** Why it can be neither proven nor disproven: another version has made it. What could be compared all the same is in `differences`. */
  readonly notProvable?: string
}

interface OfOtherVersion {
  readonly notProvable: string
}

/** A recorded input was valid when it was compiled: where it is not, the rules have changed since. */
function unlessOfOtherVersion<Result>(make: () => Result): Result | OfOtherVersion {
  try {
    return make()
  } catch (error) {
    if (!isPrehendError(error) || error.code !== 'invalid-input') throw error
    return { notProvable: `this version cannot compile what it was made from (${error.message})` }
  }
}

/** What needs no compile is compared all the same: the recorded body against the recorded items. */
function notProvable(
  receipt: Receipt,
  { why, dialects }: { readonly why: string; readonly dialects: DialectTable },
): ReceiptVerification {
  const { dialect, mode, packId, request } = receipt
  const reason = `Another version of Prehend made this request: ${why}.`
  if (!request || dialect === 'compile') return { verified: false, notProvable: reason, differences: [] }
  const isAsItCame = mode === 'unpacked' || mode === 'observe' || mode === 'answered'
  const differences = isAsItCame
    ? difference(mode === 'answered' ? 'received' : 'sent', packId, sha256(request.body))
    : itemDifferences(receipt, { dialects, request })
  return { verified: false, notProvable: reason, differences }
}

function itemDifferences(
  { dialect, model, input }: Receipt,
  { dialects, request }: Omit<Requested, 'pack'>,
): readonly ManifestDifference[] {
  const { items, editing } = withModel(exchangeAgain(dialects.for(dialect), request), model).conversation
  const texts = (all: readonly Item[]): string => stableJson(all.map(({ text }) => text))
  return difference('items', texts(input?.items ?? []), texts(heardItems(items, editing)))
}

/**
 * The body that a receipt's request was sent as, made again; undefined for a compile alone, where nothing of the request is held, and for one that
 * this version cannot make.
 */
export function sentBody({ receipt, input, compile, dialects = builtInDialects }: ReceiptToVerify): string | undefined {
  const { dialect, request, model } = receipt
  if (dialect === 'compile' || !request) return undefined
  const compiled = unlessOfOtherVersion(() => compile(input))
  if ('notProvable' in compiled) return undefined
  const { pack, outcome } = compiled
  if (!pack || outcome.kind === 'paginated' || receipt.mode !== 'on') return request.body
  const codec = dialects.for(dialect)
  return bodyAgain(codec, withModel(exchangeAgain(codec, request), model), { request, pack })
}

interface Requested {
  readonly dialects: DialectTable
  readonly request: RecordedRequest
  readonly pack: Pack | undefined
}

function requestDifferences(
  { dialect, mode, packId, input, model, result }: Receipt,
  { dialects, request, pack }: Requested,
): readonly ManifestDifference[] {
  if (dialect === 'compile') return []
  if (mode === 'unpacked') return difference('sent', packId, sha256(request.body))
  // Nothing was sent: what can be compared is the body that came.
  if (mode === 'answered') return difference('received', packId, sha256(request.body))
  try {
    const codec = dialects.for(dialect)
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
  readonly exchange: WireExchange
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

function exchangeAgain(
  codec: Codec,
  { path, body, overlay, collected = [], pinned = [] }: RecordedRequest,
): WireExchange {
  const received = codec.decode({ body, ...(path !== undefined && { path }) })
  const { restored, placed } = withOverlay(codec, received, {
    overlay,
    last: undefined,
    saidBefore: saidBeforeReader(),
  })
  const exchange = withCollected(restored, collected, standing(restored, placed))
  return { ...exchange, conversation: withPins(exchange.conversation, pinned) }
}

interface Shown {
  readonly request: RecordedRequest
  readonly pack: Pack
}

function bodyAgain(codec: Codec, exchange: WireExchange, { request, pack }: Shown): string {
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
