import { portCalls } from '../../host/index.ts'
import type { Hot } from './hot.ts'
import { isPrehendError, receivedError, sentError } from '../../core/index.ts'
import type { PrehendError, SentError } from '../../core/index.ts'
import { storeError } from '../kernel/store.ts'

/** One end of a channel to another thread or process; a `MessagePort` is one. */
export interface HotPort {
  postMessage(message: unknown): void
  /** Events are `message` and `close`. */
  on(event: string, listener: (message: unknown) => void): unknown
  unref(): void
  close(): void
}

type Method = Exclude<keyof Hot, 'subscribe' | 'isOfProcess'>

type Call =
  | { readonly kind: 'call'; readonly id: number; readonly method: Method; readonly given: readonly unknown[] }
  | { readonly kind: 'subscribe'; readonly id: number; readonly channel: string }
  | { readonly kind: 'unsubscribe'; readonly id: number }

type Answer =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: SentError }
  | { readonly kind: 'message'; readonly id: number; readonly message: string }

/** Answers for a `Hot` to another thread or process, until the returned function is called or the other end closes. */
export function serveHot(hot: Hot, port: HotPort): () => void {
  const subscriptions = new Map<number, () => void>()
  const say = (answer: Answer): void => port.postMessage(answer)
  const close = (): void => {
    for (const unsubscribe of subscriptions.values()) unsubscribe()
    subscriptions.clear()
    port.close()
  }
  port.on('message', (message) => {
    const call = message as Call
    const { id } = call
    if (call.kind === 'call') void answered(hot, call).then(say)
    else if (call.kind === 'subscribe')
      subscriptions.set(
        id,
        hot.subscribe(call.channel, (heard) => say({ kind: 'message', id, message: heard })),
      )
    else {
      subscriptions.get(id)?.()
      subscriptions.delete(id)
    }
  })
  port.on('close', close)
  port.unref()
  return close
}

async function answered(hot: Hot, { id, method, given }: Extract<Call, { kind: 'call' }>): Promise<Answer> {
  const ask = hot[method].bind(hot) as (...all: readonly unknown[]) => Promise<unknown>
  try {
    return { kind: 'answer', id, value: await ask(...given) }
  } catch (error) {
    return { kind: 'failed', id, error: sentError(asError(error)) }
  }
}

/** The `Hot` of another thread or process, by a port to it. */
export function hotOver(port: HotPort): Hot {
  const calls = portCalls((message) => port.postMessage(message), gone)
  const listeners = new Map<number, (message: string) => void>()
  let subscriptions = 0
  const ask = (method: Method, ...given: readonly unknown[]): Promise<unknown> =>
    calls.ask({ kind: 'call', method, given } satisfies Omit<Extract<Call, { kind: 'call' }>, 'id'>)
  port.on('message', (message) => {
    const answer = message as Answer
    if (answer.kind === 'message') return listeners.get(answer.id)?.(answer.message)
    const asked = calls.take(answer.id)
    if (answer.kind === 'answer') asked?.resolve(answer.value)
    else asked?.reject(receivedError(answer.error))
  })
  port.on('close', () => calls.end())
  port.unref()
  return {
    get: (...given) => ask('get', ...given) as ReturnType<Hot['get']>,
    put: (...given) => ask('put', ...given) as ReturnType<Hot['put']>,
    take: (...given) => ask('take', ...given) as ReturnType<Hot['take']>,
    lease: (...given) => ask('lease', ...given) as ReturnType<Hot['lease']>,
    release: (...given) => ask('release', ...given) as ReturnType<Hot['release']>,
    reserve: (...given) => ask('reserve', ...given) as ReturnType<Hot['reserve']>,
    settle: (...given) => ask('settle', ...given) as ReturnType<Hot['settle']>,
    announce: (...given) => ask('announce', ...given) as ReturnType<Hot['announce']>,
    ledger: (...given) => ask('ledger', ...given) as ReturnType<Hot['ledger']>,
    confirm: (...given) => ask('confirm', ...given) as ReturnType<Hot['confirm']>,
    dropLedger: (...given) => ask('dropLedger', ...given) as ReturnType<Hot['dropLedger']>,
    publish: (...given) => ask('publish', ...given) as ReturnType<Hot['publish']>,
    subscribe(channel, hears) {
      const id = (subscriptions += 1)
      listeners.set(id, hears)
      port.postMessage({ kind: 'subscribe', id, channel } satisfies Call)
      return () => {
        listeners.delete(id)
        port.postMessage({ kind: 'unsubscribe', id } satisfies Call)
      }
    },
  }
}

function asError(error: unknown): PrehendError {
  return isPrehendError(error) ? error : portError(error instanceof Error ? error.message : String(error), error)
}

function gone(): PrehendError {
  return portError('the other end of its port has closed')
}

function portError(reason: string, cause?: unknown): PrehendError {
  return storeError('be reached', reason, 'Try again; if it happens again, start the gateway again.', cause)
}
