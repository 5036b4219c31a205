import type { PackedCall, PackedCalls, ShownCall } from '../neutral/index.ts'
import { readRequest } from './read-request.ts'
import type { AgentOutputItem, From, ModelRequest } from './types.ts'
import { writeRequest } from './write-request.ts'

/** A call that is packed, and how it is sent. */
export interface Begun {
  readonly packed: PackedCall<From, AgentOutputItem>
  requestOf(shown: ShownCall<From>): ModelRequest
}

export async function begin(calls: PackedCalls, request: ModelRequest, model: string): Promise<Begun> {
  const packed = await calls.pack<From, AgentOutputItem>(readRequest(request, model))
  return { packed, requestOf: (shown) => writeRequest(request, shown) }
}
