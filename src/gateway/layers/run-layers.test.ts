import { describe, expect, it } from 'vitest'
import { codecFor } from '../../codecs/index.ts'
import { PrehendError } from '../../core/index.ts'
import { bodyOf, wholeReply } from '../outlet/reply.ts'
import { exchangeOf } from '../exchange/exchange.fixture.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Layer, Next } from '../exchange/layer.ts'
import { runLayers } from './run-layers.ts'

const codec = codecFor('openai-chat')

function exchange(stopwatch: () => number = () => 0, signal = new AbortController().signal): Exchange {
  const body = '{"model":"m","messages":[{"role":"user","content":"hi"}]}'
  const decoded = codec.decode({ body })
  return exchangeOf({ codec, received: { exchange: decoded, bytes: Buffer.from(body) }, stopwatch, signal })
}

interface Run {
  readonly way: Next
  readonly skipped: string[]
  readonly failed: string[]
}

function run(
  layers: readonly Layer[],
  last: Next = async () => wholeReply({ text: 'reply' }),
  stopwatch = () => 0,
): Run {
  const skipped: string[] = []
  const failed: string[] = []
  const noted = { skipped: (name: string) => skipped.push(name), failed: (name: string) => failed.push(name) }
  return { way: runLayers({ layers, last, stopwatch, ...noted }), skipped, failed }
}

const textOf = async (reply: ReturnType<Next>): Promise<string> => (await bodyOf(await reply)).text

function layer(name: string, failure: Layer['failure'], handle: Layer['handle']): Layer {
  return { name, failure, handle }
}

const throwing = async (): Promise<never> => {
  throw new Error('broken inside')
}

describe('the way through layers', () => {
  it('the first of the list sees a request first and its reply last', async () => {
    const seen: string[] = []
    const noting = (name: string): Layer =>
      layer(name, 'open', async (given, next) => {
        seen.push(name)
        const reply = await next(given)
        seen.push(`/${name}`)
        return reply
      })
    await run([noting('a'), noting('b')]).way(exchange())
    expect(seen).toEqual(['a', 'b', '/b', '/a'])
  })

  it('a request goes past the layers that have nothing to do with it, and leaves no time of theirs', async () => {
    const seen: string[] = []
    const picky = (name: string, appliesTo: Layer['appliesTo']): Layer => ({
      ...layer(name, 'closed', async (given, next) => {
        seen.push(name)
        return next(given)
      }),
      ...(appliesTo && { appliesTo }),
    })
    const undecided = (): never => {
      throw new Error('cannot tell')
    }
    const given = exchange()
    const { way, failed } = run([
      picky('all', undefined),
      picky('counts', ({ kind }) => kind === 'count-tokens'),
      picky('messages', ({ kind }) => kind === 'messages'),
      picky('undecided', undecided),
    ])
    expect(await textOf(way(given))).toBe('reply')
    expect(seen).toEqual(['all', 'messages', 'undecided'])
    expect(given.trace.layers().map(({ name }) => name)).toEqual(['undecided', 'messages', 'all'])
    expect(failed).toEqual([])
  })

  it('a layer that fails open is left out, and the request goes on as it was given to it', async () => {
    const given = exchange()
    const { way, skipped } = run([layer('broken', 'open', throwing)], async (asked) =>
      wholeReply({ text: String(asked === given) }),
    )
    expect(await textOf(way(given))).toBe('true')
    expect(skipped).toEqual(['broken'])
    expect(given.trace.layers()).toMatchObject([{ name: 'broken', outcome: 'skipped' }])
    expect(given.trace.skipped).toEqual(['broken'])
  })

  it('one that fails open with a reply that nobody has read gives that reply, and asks nobody twice', async () => {
    let asked = 0
    const late = layer('late', 'open', async (given, next) => {
      await next(given)
      throw new Error('too late')
    })
    const { way } = run([late], async () => {
      asked += 1
      return wholeReply({ text: 'reply' })
    })
    expect(await textOf(way(exchange()))).toBe('reply')
    expect(asked).toBe(1)
  })

  it('one that fails open in the middle of a reply ends the request', async () => {
    const reader = layer('reader', 'open', async (given, next) => {
      await bodyOf(await next(given))
      throw new Error('cannot read')
    })
    await expect(run([reader]).way(exchange())).rejects.toThrow('cannot read')
  })

  it('one that fails closed ends the request; its own words to the client pass, no others do', async () => {
    const asked: unknown[] = []
    const last: Next = async (given) => {
      asked.push(given)
      return wholeReply({ text: 'reply' })
    }
    const { way, failed } = run([layer('strict', 'closed', throwing)], last)
    await expect(way(exchange())).rejects.toMatchObject({
      code: 'internal',
      message: expect.stringContaining('"strict" failed') as string,
    })
    expect(failed).toEqual(['strict'])
    const refusing = layer('limit', 'closed', async () => {
      throw new PrehendError('rate-limited', 'Slow down.', { remedy: 'Wait.', limit: 'requests' })
    })
    await expect(run([refusing], last).way(exchange())).rejects.toMatchObject({ code: 'rate-limited' })
    expect(asked).toEqual([])
  })

  it('what fails further on is no failure of a layer', async () => {
    const failure = new PrehendError('upstream-unreachable', 'Nobody there.', { remedy: 'Wait.' })
    const pass = layer('pass', 'closed', (given, next) => next(given))
    const { way, skipped } = run([layer('open', 'open', (given, next) => next(given)), pass], async () => {
      throw failure
    })
    await expect(way(exchange())).rejects.toBe(failure)
    expect(skipped).toEqual([])
  })

  it.each(['open', 'closed'] as const)('one that is late has failed (%s), and cannot ask any more', async (failure) => {
    let asked = 0
    const last: Next = async () => {
      asked += 1
      return wholeReply({ text: 'reply' })
    }
    let late: Promise<unknown> | undefined
    const sleepy = layer('sleepy', failure, async (given, next) => {
      await new Promise((done) => setTimeout(done, 40))
      const reply = next(given)
      late = reply.catch((error: unknown) => String(error))
      return reply
    })
    const { way } = run([{ ...sleepy, limitMs: 10 }], last)
    const given = exchange()
    if (failure === 'open') expect(await textOf(way(given))).toBe('reply')
    else await expect(way(given)).rejects.toMatchObject({ code: 'internal' })
    await expect.poll(() => late).toBeDefined()
    expect(await late).toContain('too late')
    expect(asked).toBe(failure === 'open' ? 1 : 0)
  })

  it('one with a limit may take as long as it likes once it has asked', async () => {
    const slow = layer('slow', 'open', async (given, next) => {
      const reply = await next(given)
      await new Promise((done) => setTimeout(done, 30))
      return { ...reply, status: 203 }
    })
    expect((await run([{ ...slow, limitMs: 10 }]).way(exchange())).status).toBe(203)
  })

  it('nothing is skipped for a client that has gone', async () => {
    const gone = new AbortController()
    gone.abort()
    const { way, skipped } = run([layer('broken', 'open', throwing)])
    await expect(way(exchange(undefined, gone.signal))).rejects.toThrow('broken inside')
    expect(skipped).toEqual([])
  })

  it('a layer is charged with its own time, not with that of what comes after', async () => {
    let now = 0
    const stopwatch = (): number => now
    const slow = (name: string, before: number, after: number): Layer =>
      layer(name, 'open', async (given, next) => {
        now += before
        const reply = await next(given)
        now += after
        return reply
      })
    const given = exchange(stopwatch)
    const last: Next = async () => {
      now += 1000
      return wholeReply({ text: '' })
    }
    await run([slow('a', 1, 2), slow('b', 10, 20)], last, stopwatch).way(given)
    expect(given.trace.layers()).toEqual([
      { name: 'b', ms: 30, outcome: 'passed' },
      { name: 'a', ms: 3, outcome: 'passed' },
    ])
  })
})
