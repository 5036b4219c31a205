import { describe, expect, it } from 'vitest'
import { filtered, rewritten } from '../../gateway/index.ts'
import type { Layer, ReplyFilter } from '../../gateway/index.ts'
import { layerContract } from './index.ts'

const plain: Layer = { name: 'plain', failure: 'open', handle: (exchange, next) => next(exchange) }
const strict: Layer = { ...plain, name: 'strict', failure: 'closed' }

describe.each([plain, strict])('a layer that does nothing keeps the contract: $name', (layer) => {
  it.each(layerContract({ open: () => layer }))('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })
})

/** Writes names of people otherwise to the provider. */
const masking: Layer = {
  ...plain,
  name: 'masking',
  failure: 'closed',
  restore: (text) => text.replaceAll('PERSON_1', 'Jane'),
  handle: (exchange, next) =>
    next(rewritten(exchange, (item) => ({ ...item, text: item.text.replaceAll('Jane', 'PERSON_1') }))),
}
const aboutJane = ['Hello.', 'Write to Jane, "please".'] as const

describe('a layer that masks and restores keeps the contract', () => {
  const cases = layerContract({ open: () => masking, says: aboutJane })
  it.each(cases)('$name', async ({ run }) => {
    await expect(run()).resolves.toBeUndefined()
  })

  it('which asks nothing of that of layers that restore nothing', () => {
    expect(cases.length).toBe(layerContract({ open: () => plain }).length + 4)
  })
})

/** A filter that reads every piece by itself. */
const hasty: ReplyFilter = {
  name: 'hasty',
  failure: 'open',
  kinds: ['text'],
  open: () => ({ piece: (_, text) => text.replaceAll('model', 'machine'), end: () => '' }),
}

let requests = 0
const broken: readonly [string, Layer, string][] = [
  [
    'a filter that forgets the pieces before',
    { ...plain, handle: async (exchange, next) => filtered(await next(exchange), hasty) },
    'wherever a stream is cut',
  ],
  [
    'a layer that never does the same twice',
    {
      ...plain,
      handle: (exchange, next) =>
        next(rewritten(exchange, (item) => ({ ...item, text: `${item.text} ${(requests += 1)}` }))),
    },
    'the same request is the same bytes',
  ],
  [
    'a layer that restores other words than it has masked',
    { ...masking, restore: (text) => text.replaceAll('PERSON_1', 'Janet') },
    'a hidden tool gets what the user said',
  ],
  [
    'a layer that restores what it has not masked',
    { ...masking, restore: (text) => masking.restore?.(text.replaceAll('x', 'Jane'), undefined as never) ?? text },
    'what it has not masked',
  ],
  [
    'a layer that swallows refusals',
    {
      ...plain,
      handle: async (exchange, next) => ({ ...(await next(exchange)), status: 200 }),
    },
    'a refusal of the provider',
  ],
  [
    'a layer that notes no number where it declares one',
    {
      ...plain,
      facts: { score: { type: 'number' } },
      handle: (exchange, next) => {
        exchange.trace.note({ name: 'plain', facts: { score: { type: 'number' } } }, { score: Number.NaN })
        return next(exchange)
      },
    },
    'the facts that it notes',
  ],
]

describe('the contract finds', () => {
  it.each(broken)('%s', async (_, layer, what) => {
    const found = layerContract({ open: () => layer, says: aboutJane }).filter(({ name }) => name.includes(what))
    expect(found.length).toBeGreaterThan(0)
    for (const { run } of found) await expect(run()).rejects.toMatchObject({ code: 'ERR_ASSERTION' })
  })
})
