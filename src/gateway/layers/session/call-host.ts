import type { CallHost } from '../../../sessions/index.ts'
import type { Exchange } from '../../exchange/exchange.ts'
import { admitted } from '../../exchange/rewriting.ts'

/** How a request's calls of hidden tools pass its layers: arguments restored, results rewritten, and nothing after the client has gone. */
export function callHost(exchange: Exchange): CallHost {
  return {
    signal: exchange.signal,
    restore: (text) => exchange.restores.reduce((now, restored) => restored(now), text),
    async admit(result) {
      const { callId: id, text } = result
      const asked = { id, section: 'history', kind: 'tool-result', role: 'tool', toolCallId: id, text } as const
      const { text: now } = await admitted(exchange, asked)
      return { ...result, text: now }
    },
  }
}
