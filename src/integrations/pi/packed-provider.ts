import type { PackedCalls } from '../neutral/index.ts'
import { withOwn } from '../neutral/index.ts'
import { eventStream } from './event-stream.ts'
import { readTranscript } from './read-transcript.ts'
import { streamed } from './streamed.ts'
import type { EventStream, From, Model, Provider, Said, StreamEvent, StreamOptions, Transcript } from './types.ts'
import { ownReply, writeTranscript } from './write-transcript.ts'

/** Transcripts that are as they are to be sent: pi may set a provider over another that is packed already. */
const written = new WeakSet<Transcript>()

/** The same provider, the calls of whose models are packed. */
export function packedProvider(provider: Provider, calls: PackedCalls): Provider {
  const packed = (way: 'stream' | 'streamSimple') => (model: Model, context: Transcript, options?: StreamOptions) => {
    const ask = (transcript: Transcript): EventStream => {
      written.add(transcript)
      return provider[way](model, transcript, options)
    }
    return written.has(context) ? ask(context) : eventStream(eventsOf({ model, context, options, calls, ask }))
  }
  return withOwn(provider, { stream: packed('stream'), streamSimple: packed('streamSimple') })
}

interface Asked {
  readonly model: Model
  readonly context: Transcript
  readonly options: StreamOptions | undefined
  readonly calls: PackedCalls
  readonly ask: (transcript: Transcript) => EventStream
}

async function* eventsOf({ model, context, options, calls, ask }: Asked): AsyncGenerator<StreamEvent, void, undefined> {
  try {
    const packed = await calls.pack<From, Said>(readTranscript(context, model, options))
    yield* streamed(packed, (shown) => ask(writeTranscript(context, shown, model)))
  } catch (error) {
    // Streams of pi do not throw: they end in what went wrong.
    const errorMessage = error instanceof Error ? error.message : String(error)
    const failed = { ...ownReply(model), stopReason: 'error', errorMessage }
    yield { type: 'error', reason: 'error', error: failed }
  }
}
