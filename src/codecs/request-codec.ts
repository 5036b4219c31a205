import type { Codec } from './codec.ts'
import { decodeRequest } from './decode-request.ts'
import { applyChanges, encodeRequest, overlayOf, rawItem } from './encode-request.ts'
import { orderTools } from './order-tools.ts'
import { unlistTools } from './calls/unlist-tools.ts'
import type { RequestDialect } from './request-writer.ts'

/** The half of a codec that reads and writes requests, by what is particular to its dialect. */
export function requestCodec(
  dialect: RequestDialect,
): Pick<Codec, 'decode' | 'encode' | 'apply' | 'overlayOf' | 'rawItem' | 'orderTools' | 'unlistTools' | 'calls'> {
  const { reader, calls } = dialect
  return {
    decode: (request, previous) => decodeRequest(reader, request, previous),
    encode: (exchange, view) => encodeRequest(dialect, exchange, view),
    apply: (exchange, previous) => applyChanges(dialect, exchange, previous),
    overlayOf: (exchange, view) => overlayOf(dialect, exchange, view),
    rawItem: (exchange, itemId) => rawItem(reader, exchange, itemId),
    orderTools: (exchange, names) => orderTools(reader, exchange, names),
    unlistTools: (exchange, unlisting) => unlistTools(dialect, exchange, { ...unlisting, calls }),
    calls,
  }
}
