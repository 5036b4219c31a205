import { setTimeout as delay } from 'node:timers/promises'
import { PrehendError, invalidInput, isJsonObject, parseJson } from '../core/index.ts'
import { sseReader } from '../codecs/index.ts'
import type { SseEvent } from '../codecs/index.ts'
import { command } from './command.ts'
import type { Io } from './io.ts'
import { receiptOptions } from './receipts.ts'
import { usualGateway } from './usual-gateway.ts'

export const tailCommand = command({
  name: 'tail',
  about: 'follow the events of a running gateway: compiles, epochs, policies, suspicious texts',
  details: [
    'Connects again where the gateway goes away for a while, and says how many events were missed. Ctrl-C stops it.',
  ],
  options: {
    url: { ...receiptOptions.url, about: 'address of the gateway', fallback: usualGateway },
    token: receiptOptions.token,
    session: { type: 'text', about: 'only this session', placeholder: 'SESSION' },
    type: { type: 'list', about: 'only events of this type, such as security', placeholder: 'TYPE' },
  },
  examples: ['prehend tail', 'prehend tail --type security --json'],
  async run({ options, io }) {
    const { url = usualGateway, token, session, type = [], json = false } = options
    const address = addressOf(url)
    if (session !== undefined) address.searchParams.set('session', session)
    for (const each of type) address.searchParams.append('type', each)
    let last: string | undefined
    for (let isFirst = true; !io.interrupted.aborted; isFirst = false) {
      try {
        last = await follow({ address, token, last, io }, (event) =>
          io.out(json ? `${event.data}\n` : lineOf(event, io)),
        )
      } catch (error) {
        if (isFirst || (error instanceof PrehendError && lasting.has(error.code))) throw error
      }
      await delay(reconnectMs, undefined, { signal: io.interrupted }).catch(() => undefined)
    }
    return 0
  },
})

const reconnectMs = 1000

/** What is refused in such a way is refused the next time, too. */
const lasting: ReadonlySet<string> = new Set(['unauthorized', 'invalid-input'])

interface Following {
  readonly address: URL
  readonly token: string | undefined
  readonly last: string | undefined
  readonly io: Io
}

/** Reads until the stream ends; gives the last id. */
async function follow(
  { address, token, last, io }: Following,
  told: (event: SseEvent) => void,
): Promise<string | undefined> {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(last !== undefined && { 'last-event-id': last }),
  }
  const signal = io.interrupted
  const response = await fetch(address, { headers, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw unreachable(address.origin, error)
  })
  if (response === undefined) return last
  if (response.status === 401) {
    const remedy = 'Give its token with --token'
    throw new PrehendError('unauthorized', `${address.origin} asks for a token. ${remedy}.`, { remedy })
  }
  if (response.status === 400) throw await refusalOf(response, address.origin)
  if (!response.ok || response.body === null) throw unreachable(address.origin)
  const reader = sseReader({ eventBytes: 16 * 1024 * 1024 })
  let newest = last
  try {
    for await (const chunk of response.body)
      for (const event of reader.push(chunk).events) {
        newest = event.id ?? newest
        if (event.data !== '') told(event)
      }
  } catch {
    // A stream that breaks off is read again from where it was.
  }
  return newest
}

/** The time, the type, the session and the rest; what is suspected and what was missed stand out where colour may be used. */
function lineOf({ data }: SseEvent, { color }: Io): string {
  const value = parseJson(data)
  if (!isJsonObject(value)) return ''
  const { at, type, session, requestId: _, ...rest } = value
  const text = [at, type, session, JSON.stringify(rest)].filter((part) => typeof part === 'string').join('  ')
  const standsOut =
    type === 'security' || type === 'context:quality' || type === 'missed' || type === 'step:limits-missed'
  return color && standsOut ? `\u001B[33m${text}\u001B[0m\n` : `${text}\n`
}

function addressOf(url: string): URL {
  if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)) return new URL('/v1/events', url)
  throw invalidInput('--url', `${JSON.stringify(url)} is no address`, 'Give one such as http://127.0.0.1:8484')
}

/** In the gateway's own words. */
async function refusalOf(response: Response, origin: string): Promise<PrehendError> {
  const said = parseJson(await response.text())
  const error = isJsonObject(said) ? said['error'] : undefined
  const message = isJsonObject(error) && typeof error['message'] === 'string' ? error['message'] : undefined
  if (message === undefined) return unreachable(origin)
  return new PrehendError('invalid-input', message, { field: '--type', remedy: message })
}

function unreachable(origin: string, cause?: unknown): PrehendError {
  const remedy = 'Check that a gateway runs there'
  return new PrehendError('upstream-unreachable', `${origin} does not answer. ${remedy}.`, { remedy }, cause)
}
