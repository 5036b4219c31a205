import { gatheredBytes } from '../../../codecs/index.ts'
import { isJsonObject, jsonValue } from '../../../core/index.ts'
import type { JsonObject, PrehendError } from '../../../core/index.ts'
import type { ProviderAnswer } from '../../../stores/index.ts'
import { isSuccess } from '../../outlet/reply.ts'
import type { Reply, ReplyEnd, ReplyPiece } from '../../outlet/reply.ts'

/** Hears what a provider answers where it refuses, while that goes by. */
export interface AnswerEar {
  /** The same reply, listened to where it is a refusal. */
  heard(reply: Reply): Reply
  /** Once the reply has ended; undefined where the provider has not said no. */
  answer(end: ReplyEnd): ProviderAnswer | undefined
}

/** Of a refusal no more is read than can hold what is kept of it. */
const mostBytes = 1_000_000
const mostMessageChars = 2000

export function answerEar(recordsContent: boolean): AnswerEar {
  let heard: { readonly status: number; readonly text: () => string | undefined } | undefined
  return {
    heard(reply) {
      if (isSuccess(reply)) return reply
      const gathered = gatheredBytes()
      const { status, unreadable } = reply
      const isEncoded = 'content-encoding' in reply.headers
      heard = {
        status,
        text: () => (isEncoded || unreadable?.() ? undefined : new TextDecoder().decode(gathered.take())),
      }
      return { ...reply, pieces: listened(reply.pieces, gathered.add) }
    },
    answer({ failure }) {
      const said = heard ? { status: heard.status, text: heard.text() } : saidMidway(failure)
      return said && answerOf(said, recordsContent)
    },
  }
}

async function* listened(
  pieces: AsyncIterable<ReplyPiece>,
  add: (bytes: Uint8Array) => void,
): AsyncGenerator<ReplyPiece> {
  let length = 0
  for await (const piece of pieces) {
    const { events, bytes = new TextEncoder().encode(events.map(({ data }) => data).join('\n')) } = piece
    if (length < mostBytes) add(bytes.subarray(0, mostBytes - length))
    length += bytes.length
    yield piece
  }
}

interface Said {
  readonly status: number
  /** Undefined where it cannot be read. */
  readonly text: string | undefined
}

/** A stream that the provider ended in an error, or a later round that it refused. */
function saidMidway(failure: PrehendError | undefined): Said | undefined {
  if (failure === undefined || !('said' in failure.data)) return undefined
  const { status, said } = failure.data
  return { status, text: said }
}

function answerOf({ status, text }: Said, recordsContent: boolean): ProviderAnswer {
  const { type, message } = text === undefined ? {} : errorIn(text)
  const told = { status, ...(type !== undefined && { type }) }
  if (!recordsContent) return { ...told, message: null, whyNot: 'not-recorded' }
  if (text === undefined) return { ...told, message: null, whyNot: 'unreadable' }
  return message === undefined ? { ...told, message: null, whyNot: 'empty' } : { ...told, message }
}

interface ErrorWords {
  readonly type?: string
  readonly message?: string
}

/** In a body of any dialect or of none: an error with a type and a message, a message alone, or a text. */
function errorIn(text: string): ErrorWords {
  const body = jsonValue(text)
  const [whole] = Array.isArray(body) ? body : [body]
  const { error = whole } = isJsonObject(whole) ? whole : {}
  const words: JsonObject = isJsonObject(error) ? error : {}
  const type = [words['type'], words['status'], words['code']].find(isName)
  const message = [error, words['message'], words['detail'], text].find((one) => typeof one === 'string')?.trim()
  return { ...(type !== undefined && { type }), ...(message && { message: message.slice(0, mostMessageChars) }) }
}

/** A name, and nothing that somebody could have written in a request. */
function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.-]{1,60}$/.test(value)
}
