import { sha256 } from '../host/index.ts'
import { bodyOf } from '../codecs/index.ts'
import type { Item } from '../core/index.ts'
import type { Catalogue } from './catalogue/listed-tools.ts'
import type { HostStep, ItemOrigin, LeftTools, Receipt, ReceiptToRecord, RequestToRecord } from '../stores/index.ts'
import type { PackedTurn } from './pack-turn.ts'
import type { SessionTurn } from './session-turn.ts'

/** What tells a receipt: the hash of the bytes that its request was sent as. */
export function packIdOf({ encoded, received }: PackedTurn): string {
  return encoded?.hash ?? sha256(received.wire.body)
}

export function receiptOf(turn: SessionTurn, recordsContent: boolean): ReceiptToRecord {
  const { agent } = turn.asked.principal
  const { requestId, packId, mode, received, manifest, input, step, why, parentSession, catalogue, wasted } = turn
  const origins = originsOf(input.items)
  return {
    requestId,
    packId,
    dialect: received.wire.dialect,
    mode,
    model: received.conversation.model,
    manifest,
    ...(agent !== undefined && { client: agent }),
    ...stepOf(step),
    ...(why && { why }),
    ...(parentSession !== undefined && { parentSession }),
    ...(catalogue && { leftTools: leftTools(turn, catalogue) }),
    ...(wasted && { wastedTools: wasted }),
    ...(origins.length > 0 && { origins }),
    ...(recordsContent && { input, request: recorded(turn) }),
  }
}

function leftTools({ received }: SessionTurn, { unlisted, tokens, isDeferred, hosted = [] }: Catalogue): LeftTools {
  const { length: tools } = received.conversation.tools
  const ofRegistry = hosted.length
  return { tools, left: unlisted.length, leftTokens: tokens, isDeferred, ...(ofRegistry > 0 && { ofRegistry }) }
}

/** A step without a name is none that a receipt tells. */
export function stepOf(step: HostStep = {}): Pick<Receipt, 'step'> {
  return step.taskId === undefined && step.stepId === undefined ? {} : { step }
}

function originsOf(items: readonly Item[]): readonly ItemOrigin[] {
  return items.flatMap(({ id: itemId, provenance }) => {
    const { uri, retrievedAt } = provenance ?? {}
    if (uri === undefined && retrievedAt === undefined) return []
    return [{ itemId, ...(uri !== undefined && { uri }), ...(retrievedAt !== undefined && { retrievedAt }) }]
  })
}

function recorded({ received, before, encoded, collected, pinned, kept }: SessionTurn): RequestToRecord {
  return {
    path: received.wire.path,
    body: bodyOf(received),
    overlay: kept ? [...kept.hidden, ...before.overlay] : before.overlay,
    ...(collected.length > 0 && { collected }),
    ...(pinned && { pinned }),
    breakpoints: encoded?.pack.breakpoints ?? [],
    tools: encoded?.tools.map(({ definition }) => definition) ?? [],
    ...(encoded?.made && { made: Object.fromEntries(encoded.made) }),
  }
}
