import type { CompileWatch } from '../../core/index.ts'
import { errorCode, openSpan, stageSpans } from '../../tracing/index.ts'
import type { Tracing } from '../../tracing/index.ts'
import type { SessionTurn, UnpackedTurn } from '../session-turn.ts'

type Packed = SessionTurn | UnpackedTurn

/** Packs within a span, where there is anybody to tell. */
export async function traced(
  tracing: Tracing | undefined,
  pack: (watch: CompileWatch | undefined) => Promise<Packed>,
): Promise<Packed> {
  const root = tracing?.begin('prehend.pack')
  if (root === undefined) return pack(undefined)
  if (!root.isRecording) {
    root.end()
    return pack(undefined)
  }
  const span = openSpan('prehend.pack')
  const turn = await pack(stageSpans(() => span.child('prehend.compile')))
  if (turn.kind === 'unpacked') span.fail(errorCode(turn.error))
  else
    span.set({ 'prehend.pack.id': turn.packId, 'gen_ai.request.model': turn.received.conversation.model.slice(0, 200) })
  root.end(span.record())
  return turn
}
