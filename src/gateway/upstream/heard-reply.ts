import { gatheredBytes } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { ReplyEvent, Usage } from '../../core/index.ts'
import { tokenizerFor } from '../../tokens/index.ts'
import type { ModelCatalogue } from '../../tokens/index.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'

export interface HeardOptions {
  readonly codec: Codec
  readonly catalogue: ModelCatalogue
  /** By whose vocabulary words are counted that nobody has reported. */
  readonly model: string
  /** Longer bodies are not read. */
  readonly replyBytes: number
}

/** What is known of a reply when it has been read, or left. */
export interface HeardEnd {
  /** What the provider has reported by then. */
  readonly usage: Usage | undefined
  /** What has come of the answer, by our own count, where the provider has not reported all of it; else 0. */
  readonly outputTokens: number
}

/** The same reply; tells once what it has come to, however it ends. */
export function heardReply(reply: Reply, options: HeardOptions, told: (end: HeardEnd) => void): Reply {
  const pieces = reply.form === 'stream' ? streamed(reply, options, told) : gathered(reply, options, told)
  return { ...reply, pieces: endedOnce(pieces, () => told({ usage: undefined, outputTokens: 0 })) }
}

/** One that is left before it is read at all has an end, too. */
function endedOnce(pieces: AsyncGenerator<ReplyPiece>, unread: () => void): AsyncIterable<ReplyPiece> {
  let isBegun = false
  return {
    [Symbol.asyncIterator]: () => ({
      next: () => {
        isBegun = true
        return pieces.next()
      },
      async return() {
        if (!isBegun) unread()
        await pieces.return(undefined)
        return { done: true as const, value: undefined }
      },
    }),
  }
}

async function* streamed(
  { pieces, report }: Reply,
  { codec, catalogue, model }: HeardOptions,
  told: (end: HeardEnd) => void,
): AsyncGenerator<ReplyPiece> {
  const { replyReader: reader } = codec
  let state = reader.initial
  let said = ''
  let isWhole = false
  try {
    for await (const piece of pieces) {
      for (const event of piece.events) {
        const step = reader.step(state, event)
        state = step.state
        said += step.events.map(wordsOf).join('')
      }
      yield piece
    }
    isWhole = true
  } finally {
    const usage = report?.().usage
    const isReported = isWhole && usage !== undefined
    told({ usage, outputTokens: isReported || said === '' ? 0 : tokenizerFor(model, catalogue).count(said) })
  }
}

function wordsOf(event: ReplyEvent): string {
  return event.kind === 'text' || event.kind === 'reasoning' || event.kind === 'arguments' ? event.text : ''
}

async function* gathered(
  { pieces }: Reply,
  { codec, catalogue, model, replyBytes }: HeardOptions,
  told: (end: HeardEnd) => void,
): AsyncGenerator<ReplyPiece> {
  const bytes = gatheredBytes()
  let text = ''
  let length = 0
  try {
    for await (const piece of pieces) {
      length += piece.bytes?.length ?? 0
      if (piece.bytes && length <= replyBytes) bytes.add(piece.bytes)
      else text += piece.events.map(({ data }) => data).join('')
      yield piece
    }
  } finally {
    const whole = text === '' ? new TextDecoder().decode(bytes.take()) : text
    const usage = codec.usageOf(whole)
    const outputTokens = usage || whole === '' ? 0 : tokenizerFor(model, catalogue).count(whole)
    told({ usage, outputTokens })
  }
}
