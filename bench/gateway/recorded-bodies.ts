import { resolve } from 'node:path'
import { nextRequest, recordedSessions, tools, wireMessage } from '../recorded-turns.ts'
import type { RecordedMessage } from '../recorded-turns.ts'

const traces = resolve(import.meta.dirname, '../../../shared/data/swe-traces/lite_test_a.jsonl')

let sessions: readonly (readonly RecordedMessage[])[] | undefined

/**
 * Requests of recorded coding agents, each session from its first request to its last, one session after the other; every
 * seed begins with another one and makes each session its own.
 */
export function recordedBodies(stream: boolean, seed: number): () => string {
  sessions ??= recordedSessions(traces)
  const all = sessions
  let session = seed * 7
  let length = 0
  return () => {
    let messages = all[session % all.length] ?? []
    length = nextRequest(messages, length + 1)
    if (length > messages.length) {
      session += 1
      messages = all[session % all.length] ?? []
      length = nextRequest(messages, 1)
    }
    const told = messages
      .slice(0, length)
      .map((message, index) => wireMessage(message, index === 0 ? `\n(${seed}.${session})` : ''))
    return JSON.stringify({ model: 'gpt-5.1', ...(stream && { stream }), tools, messages: told })
  }
}
