import type { Begun } from './begun.ts'
import { finished } from './generate.ts'
import { readResult } from './read-result.ts'
import { roundReader } from './round-reader.ts'
import type { RoundReader } from './round-reader.ts'
import type { Params, StreamPart, StreamResult } from './types.ts'

type DoStream = (params: Params) => PromiseLike<StreamResult>

/** The streams of all rounds as one: words flow on as they come, calls follow when the round is over and they are known to be the caller's. */
export async function stream(begun: Begun, doStream: DoStream): Promise<StreamResult> {
  const first = await begun.ask(begun.packed.shown, doStream)
  return { ...first, stream: streamOf(joined(begun, doStream, first.stream)) }
}

type Parts = AsyncGenerator<StreamPart, void, undefined>

async function* joined({ packed, ask }: Begun, doStream: DoStream, first: StreamResult['stream']): Parts {
  let source = first
  for (let round = 0; ; round += 1) {
    const reader = roundReader(round)
    try {
      for await (const part of partsOf(source)) yield* reader.take(part)
    } catch (error) {
      await packed.refused(error)
      throw error
    }
    const failure = reader.failure()
    if (failure !== undefined) {
      await packed.refused(failure.error)
      return
    }
    const result = reader.result()
    // Cut off: what is there is the caller's, and nothing is known of its end.
    if (result === undefined) return
    const reply = readResult(result)
    const again = await packed.next(reply)
    if (again === undefined) {
      yield* ended(reader, finished(await packed.answered(reply), result))
      return
    }
    source = (await ask(again, doStream)).stream
  }
}

function* ended(
  reader: RoundReader,
  { content, finishReason }: ReturnType<typeof finished>,
): Generator<StreamPart, void, undefined> {
  for (const part of content) if (part.type === 'tool-call') yield* reader.callParts(part)
  const finish = reader.finish()
  if (finish) yield { ...finish, finishReason }
}

async function* partsOf(source: StreamResult['stream']): Parts {
  const reader = source.getReader()
  let isOver = false
  try {
    for (;;) {
      const { done, value } = await reader.read()
      isOver = done
      if (done) return
      yield value
    }
  } finally {
    if (!isOver) await reader.cancel().catch(() => undefined)
    reader.releaseLock()
  }
}

function streamOf(parts: Parts): StreamResult['stream'] {
  return new ReadableStream<StreamPart>({
    async pull(controller) {
      const { done, value } = await parts.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}
