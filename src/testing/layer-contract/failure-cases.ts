import { equal } from 'node:assert/strict'
import type { Layer } from '../../gateway/index.ts'
import type { ContractCase } from '../contract-case.ts'
import { withLayer } from './layer-bench.ts'
import type { TriedLayer } from './layer-under-test.ts'

const modes = ['on', 'observe', 'off'] as const

/** What becomes of requests when a layer fails. */
export function failureCases({ open, says, dialect }: TriedLayer): readonly ContractCase[] {
  return [
    {
      name: 'where it fails before it has asked, requests end or go on without it, as it says, in every mode',
      run: async () => {
        const layer = failing(open(), async () => undefined)
        for (const mode of modes) {
          await withLayer({ layer, mode }, async ({ send, requests }) => {
            const { status, headers, text } = await send(dialect, dialect.body(says))
            const isOpen = layer.failure === 'open'
            equal(status, isOpen ? 200 : 500)
            equal(requests.length, isOpen ? 1 : 0)
            equal(headers.get('x-prehend-skipped'), isOpen ? layer.name : null)
            equal(text.includes(secret), false)
          })
        }
      },
    },
    {
      name: 'what nobody can read passes it where it fails open, and where it fails closed only if it says so',
      run: async () => {
        const layer = open()
        for (const mode of modes) {
          await withLayer({ layer, mode }, async ({ send, requests }) => {
            await send(dialect, { ...dialect.body(says), messages: [{ role: 'nobody', content: 'unread' }] })
            await send(dialect, {}, '/v1/route/of/tomorrow')
            equal(requests.length, layer.failure === 'open' || layer.takesUnread === true ? 2 : 0)
          })
        }
      },
    },
    {
      name: 'where it fails after it has asked, the reply comes through or is withheld, as it says',
      run: async () => {
        const layer = failing(open(), async (exchange, next) => void (await next(exchange)))
        const script = () => 'words of the model'
        await withLayer({ layer, script }, async ({ send, requests }) => {
          const { text } = await send(dialect, dialect.body(says))
          equal(text.includes('words of the model'), layer.failure === 'open')
          equal(requests.length, 1)
        })
      },
    },
  ]
}

const secret = 'nobody may read this'

function failing(layer: Layer, before: (...way: Parameters<Layer['handle']>) => Promise<undefined>): Layer {
  return {
    ...layer,
    handle: async (exchange, next) => {
      await before(exchange, next)
      throw new Error(secret)
    },
  }
}
