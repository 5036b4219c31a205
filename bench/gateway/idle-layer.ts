import type { Extension } from '../../src/gateway/extensions/index.ts'

/** One layer that does nothing: what a request pays for being passed to a layer of a host at all. */
export default {
  name: 'idle-layer',
  specificationVersion: 1,
  open: () => ({
    layers: [{ name: 'idle', failure: 'open', handle: (exchange, next) => next(exchange) }],
  }),
} satisfies Extension
