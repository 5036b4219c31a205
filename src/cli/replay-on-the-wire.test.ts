import { hash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { codecFor } from '../codecs/index.ts'
import { createCompiler, thrifty } from '../compiler/index.ts'
import { readTrace } from '../inspect/index.ts'
import { exampleFile, exampleSession } from './example.ts'
import type { CompileInput, Item, Ledger } from '../core/index.ts'
import type { Trace } from '../inspect/index.ts'

/** Compiles a session request by request, and gives what is shown. */
function session() {
  const tokenizer = { id: 'quarters', count: (text: string) => Math.ceil(text.length / 4) }
  const compiler = createCompiler({ tokenizer, hash: (text) => hash('sha256', text) })
  let ledger: Ledger | undefined
  return (items: readonly Item[], nowMs: number): readonly string[] => {
    const input: CompileInput = {
      items,
      nowMs,
      budget: { windowTokens: 1_000_000 },
      policy: thrifty,
      layout: 'messages',
      prices: { read: 0.1, write: 1, minTokens: 0, ttlMs: 1e12 },
      rehydration: true,
      ...(ledger === undefined ? {} : { ledger }),
    }
    const result = compiler.compile(input)
    ledger = result.ledger
    return (result.pack?.entries ?? []).map((entry) => entry.text).filter((text) => text !== '')
  }
}

describe('replay', () => {
  it('shows a session as the gateway shows the same requests when they come over the wire', async () => {
    const { tools, messages: said } = exampleSession()
    const wire = said.map(({ ts: _ts, is_error: _error, ...message }) => message)
    const traces: Trace[] = []
    for await (const trace of readTrace(exampleFile)) traces.push(trace)
    const [recorded, decoded] = [session(), session()]
    let shortened = 0
    for (const { messages, atMs } of traces[0]?.requests ?? []) {
      // An error flag is not part of OpenAI's dialect.
      const items = messages.flatMap((message) => message.items.map(({ status: _status, ...item }) => item))
      const body = JSON.stringify({ model: 'gpt-5.1', tools, messages: wire.slice(0, messages.length - 1) })
      const shown = recorded(items, atMs)
      expect(decoded(codecFor('openai-chat').decode({ body }).conversation.items, atMs)).toEqual(shown)
      if (shown.join('').length < items.map((item) => item.text).join('').length) shortened += 1
    }
    expect(shortened).toBeGreaterThan(10)
  })
})
