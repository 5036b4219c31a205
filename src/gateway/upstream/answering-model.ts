import { gatheredBytes } from '../../codecs/index.ts'
import type { Codec } from '../../codecs/index.ts'
import type { Exchange } from '../exchange/exchange.ts'
import { isSuccess } from '../outlet/reply.ts'
import type { Reply, ReplyPiece } from '../outlet/reply.ts'

/** Of a request that several models may answer: notes which has, once its reply is read. */
export function answeringModel({ conversation, trace }: Exchange, codec: Codec, reply: Reply): Reply {
  const { models } = conversation
  if (models === undefined || reply.form === 'raw' || !isSuccess(reply)) return reply
  const note = (told: string | undefined): void => trace.answered(told === undefined ? undefined : named(told, models))
  return { ...reply, pieces: reply.form === 'stream' ? inStream(reply, codec, note) : inBody(reply, codec, note) }
}

type Note = (told: string | undefined) => void

async function* inStream({ pieces }: Reply, codec: Codec, note: Note): AsyncGenerator<ReplyPiece> {
  const reducer = codec.reducer()
  let state = reducer.initial
  let model: string | undefined
  try {
    for await (const piece of pieces) {
      for (const event of model === undefined ? piece.events : []) {
        state = reducer.skim(state, event)
        ;({ model } = reducer.reply(state))
      }
      yield piece
    }
  } finally {
    note(model)
  }
}

async function* inBody({ pieces }: Reply, codec: Codec, note: Note): AsyncGenerator<ReplyPiece> {
  const gathered = gatheredBytes()
  try {
    for await (const piece of pieces) {
      if (piece.bytes) gathered.add(piece.bytes)
      yield piece
    }
  } finally {
    note(modelIn(codec, gathered.take()))
  }
}

/** Undefined for what cannot be read: somebody else says so. */
function modelIn(codec: Codec, bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length === 0) return undefined
  try {
    return codec.decodeReply(new TextDecoder().decode(bytes)).model
  } catch {
    return undefined
  }
}

/** The name by which it was asked for: replies name models with their dates, and their parts in another order. */
function named(told: string, models: readonly string[]): string | undefined {
  return models.find((name) => name === told) ?? models.find((name) => partsOf(name) === partsOf(told))
}

function partsOf(name: string): string {
  const parts = name
    .toLowerCase()
    .replaceAll(/-\d{8}|-\d{4}-\d{2}-\d{2}/g, '')
    .split(/[-/:.]/)
  return parts.toSorted().join(' ')
}
