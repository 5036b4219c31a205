import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { codecs, codecFor, rewriteReply, writtenAnswer } from '../../codecs/index.ts'
import { writeReply } from '../../testing/index.ts'
import type { Codec, SseEvent, TextKind } from '../../codecs/index.ts'
import { filterChain } from './filter-chain.ts'
import type { FilterChain } from './filter-chain.ts'
import { filterStream } from './filter-stream.ts'
import type { ReplyFilter } from './reply-filter.ts'

/** Writes one word for another, wherever the word is cut; answers at once or later. */
function replacing(word: string, by: string, kinds: readonly TextKind[], waits = false): ReplyFilter {
  return {
    name: `replace-${word}`,
    failure: 'closed',
    kinds,
    open: () => {
      const held = new Map<string, string>()
      const said = (text: string): string | Promise<string> => (waits ? Promise.resolve(text) : text)
      return {
        piece: ({ key }, text) => {
          const all = ((held.get(key) ?? '') + text).replaceAll(word, by)
          const ends = Array.from(word, (_, at) => word.slice(0, at)).filter((begin) => all.endsWith(begin))
          const keep = ends.at(-1)?.length ?? 0
          held.set(key, all.slice(all.length - keep))
          return said(all.slice(0, all.length - keep))
        },
        end: ({ key }) => {
          const rest = held.get(key) ?? ''
          held.delete(key)
          return said(rest)
        },
      }
    },
  }
}

const unskipped = (name: string): never => {
  throw new Error(`${name} was skipped`)
}

function opened(filters: readonly ReplyFilter[], skipped: (name: string) => void = unskipped): FilterChain {
  return filterChain(filters, skipped) ?? expect.unreachable('no filters')
}

async function through(codec: Codec, chain: FilterChain, events: readonly SseEvent[]): Promise<readonly SseEvent[]> {
  const stream = filterStream(codec.textPlaces, chain)
  const out: SseEvent[] = []
  for (const event of events) out.push(...(await stream.events([event])))
  return [...out, ...(await stream.end())]
}

/** What a client makes of events of several choices: each text by its choice and member. */
function textsOf(events: readonly SseEvent[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const { data } of events) {
    if (data === '[DONE]') continue
    const { choices } = JSON.parse(data) as { choices: { index: number; delta: Record<string, string> }[] }
    for (const { index, delta } of choices) {
      for (const [name, text] of Object.entries(delta))
        texts[`${index}.${name}`] = (texts[`${index}.${name}`] ?? '') + text
    }
  }
  return texts
}

describe('filters of a stream', () => {
  const openai = codecFor('openai-chat')
  const piece = fc.record({
    index: fc.constantFrom(0, 1),
    text: fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 4 }),
  })

  // Some servers name a finish reason in every chunk, and an empty one before the last.
  it.each([
    [false, null],
    [true, null],
    [false, ''],
  ])('read whole texts, however they are cut and mixed (waiting: %s, before the end: %s)', async (waits, reason) => {
    const run = async (pieces: readonly { readonly index: number; readonly text: string }[]): Promise<void> => {
      const events = pieces.map(({ index, text }) => ({
        data: JSON.stringify({ id: 'c', choices: [{ index, delta: { content: text }, finish_reason: reason }] }),
      }))
      const chain = opened([replacing('abc', 'bb', ['text'], waits), replacing('bb', 'x', ['text'], waits)])
      const texts = textsOf(await through(openai, chain, [...events, { data: '[DONE]' }]))
      for (const index of [0, 1]) {
        const said = pieces.flatMap((one) => (one.index === index ? [one.text] : [])).join('')
        expect(texts[`${index}.content`] ?? '').toBe(said.replaceAll('abc', 'bb').replaceAll('bb', 'x'))
      }
    }
    await fc.assert(fc.asyncProperty(fc.array(piece, { maxLength: 20 }), run))
  })

  it('see what they want to see, and nothing else', async () => {
    const chain = opened([replacing('a', 'x', ['reasoning'])])
    const events = [
      { content: 'a' },
      { reasoning_content: 'a' },
      { tool_calls: [{ index: 0, function: { arguments: '"a"' } }] },
    ].map((delta) => ({ data: JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] }) }))
    const out = await through(openai, chain, events)
    expect(out.map(({ data }) => data.replace('"x"', '"a"'))).toEqual(events.map(({ data }) => data))
    expect(out[1]!.data).toContain('"reasoning_content":"x"')
    expect(out[0]).toBe(events[0])
  })

  it.each([
    ['one index for all', { index: 0 }],
    ['no index', {}],
  ])('tell the calls of a compatible server apart: %s', async (_, numbered) => {
    const call = (id: string, args: unknown): object => ({
      ...numbered,
      id,
      type: 'function',
      function: { name: 'f', arguments: args },
    })
    const deltas = [call('a', '{"q":"ab"}'), call('b', '{"q":"'), { ...numbered, function: { arguments: 'abc"}ab' } }]
    const parts = [...deltas, call('c', { q: 'ab' })]
    const event = (delta: object): SseEvent => ({
      data: JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] }),
    })
    for (const list of [[parts], parts.map((part) => [part])]) {
      const chain = opened([replacing('abc', 'x', ['arguments'])])
      const out = await through(
        openai,
        chain,
        list.map((calls) => event({ tool_calls: calls })),
      )
      const { initial, step, reply } = openai.reducer()
      const { toolCalls } = reply(out.reduce(step, initial))
      expect(toolCalls.map((told) => told.arguments)).toEqual(['{"q":"ab"}', '{"q":"x"}ab', '{"q":"ab"}'])
    }
    const calls = ['{"q":"abc"}ab', '{"q":"ab"}'].map((args, at) => call(`w${at}`, args))
    const body = JSON.stringify({ choices: [{ index: 0, message: { role: 'assistant', tool_calls: calls } }] })
    const whole = await rewriteReply(openai.textPlaces, opened([replacing('abc', 'x', ['arguments'])]), body)
    const { toolCalls } = openai.decodeReply(whole)
    expect(toolCalls.map((told) => told.arguments)).toEqual(['{"q":"x"}ab', '{"q":"ab"}'])
  })

  it('say the same wherever a text is told again, in events whose numbers run on', async () => {
    const codec = codecFor('openai-responses')
    const reply = {
      id: 'r',
      reasoning: 'say abc',
      texts: ['abcab', 'ab'],
      calls: [{ id: 'c', name: 'f', arguments: '{"q":"abc"}' }],
      stop: 'calls',
      input: 1,
      cached: 0,
      output: 1,
    } as const
    const cut = (words: string): readonly string[] => Array.from(words, (_, at) => words.slice(at, at + 1))
    const { body, events } = writeReply(codec.dialect, reply, cut)
    const filters = [replacing('abc', 'x', ['text', 'reasoning', 'arguments'])]
    const out = await through(codec, opened(filters), events)
    const told = out.map(
      ({ data }) => JSON.parse(data) as { sequence_number: number; response?: unknown; type: string },
    )
    expect(told.map((event) => event.sequence_number)).toEqual(out.map((_, index) => index))
    expect(out.some(({ data }) => data.includes('abc'))).toBe(false)
    expect(told.at(-1)?.response).toEqual(JSON.parse(body.replaceAll('abc', 'x')))
    const pieces = told.flatMap((event) =>
      'delta' in event && event.type.includes('output_text') ? [event.delta] : [],
    )
    expect(pieces.join('')).toBe('xabab')
    const wholes = told.flatMap((event) => ('text' in event ? [event.text] : []))
    expect(wholes).toEqual(['say x', 'xab', 'ab'])
  })

  it('one that fails open is left out from there on, and named; what it read goes on as it came', async () => {
    const failing: ReplyFilter = {
      ...replacing('a', 'x', ['text']),
      failure: 'open',
      open: () => ({
        piece: (_, text) => {
          if (text.includes('b')) throw new Error('no b')
          return text.replaceAll('a', 'x')
        },
        end: () => '',
      }),
    }
    const names: string[] = []
    const chain = opened([failing, replacing('c', 'y', ['text'])], (name) => names.push(name))
    const events = ['a', 'ab', 'ac'].map((content) => ({
      data: JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
    }))
    expect(textsOf(await through(openai, chain, events))).toEqual({ '0.content': 'xabay' })
    expect(names).toEqual(['replace-a'])
  })
})

describe.each(codecs)('texts of $dialect', (codec) => {
  const kinds: readonly TextKind[] = ['text', 'reasoning', 'arguments']
  const answer = writtenAnswer(codec.replyWriter, {
    id: 'a',
    model: 'm',
    createdMs: 0,
    text: 'to word, as you said',
    toolCalls: [{ id: 't', name: 'mail', arguments: '{"to":"word"}' }],
  })

  it('are filtered alike in a whole reply and in a stream', async () => {
    const body = await rewriteReply(codec.textPlaces, opened([replacing('word', '"w"', ['text'])]), answer.body)
    const { initial, step, reply } = codec.reducer()
    const events = await through(codec, opened([replacing('word', '"w"', ['text'])]), answer.events)
    for (const { text, toolCalls } of [codec.decodeReply(body), reply(events.reduce(step, initial))]) {
      expect(text).toBe('to "w", as you said')
      expect(toolCalls[0]?.arguments).toBe('{"to":"word"}')
    }
  })

  it('arguments are the source of a JSON value', async () => {
    const filters = () => opened([replacing('word', String.raw`\"w\"`, kinds)])
    const body = await rewriteReply(codec.textPlaces, filters(), answer.body)
    const { initial, step, reply } = codec.reducer()
    const events = await through(codec, filters(), answer.events)
    for (const { toolCalls } of [codec.decodeReply(body), reply(events.reduce(step, initial))]) {
      expect(JSON.parse(toolCalls[0]?.arguments ?? '')).toEqual({ to: '"w"' })
    }
  })

  it('a body in which nothing changes is the same bytes', async () => {
    const spaced = answer.body.replaceAll(':', ' : ')
    expect(await rewriteReply(codec.textPlaces, opened([replacing('nothing', 'x', kinds)]), spaced)).toBe(spaced)
  })
})

describe('a stream of Gemini that comes as a list', () => {
  const gemini = codecFor('gemini')
  const chunk = (...parts: readonly object[]): object => ({
    candidates: [{ content: { role: 'model', parts }, index: 0 }],
  })
  const filtered = (chunks: readonly object[], word: string, kinds: readonly TextKind[]): Promise<string> =>
    rewriteReply(gemini.textPlaces, opened([replacing(word, '"w"', kinds)]), JSON.stringify(chunks))

  it('has its texts rewritten wherever they are cut', async () => {
    const chunks = [{ text: 'A wo' }, { text: 'r', thoughtSignature: 'AAAA' }, { text: 'd or wor' }, { text: '' }]
    const body = await filtered(
      chunks.map((part) => chunk(part)),
      'word',
      ['text'],
    )
    const texts = [{ text: 'A ' }, { text: '', thoughtSignature: 'AAAA' }, { text: '"w" or wor' }, { text: '' }]
    expect(JSON.parse(body)).toEqual(texts.map((part) => chunk(part)))
  })

  it('keeps the arguments of its calls apart', async () => {
    const call = (path: string): object => ({ functionCall: { name: 'read', args: { path } } })
    const chunks = [chunk(call('a')), chunk(call('b'))]
    expect(await filtered(chunks, '}{', ['arguments'])).toBe(JSON.stringify(chunks))
  })
})
