import { equal } from 'node:assert/strict'
import type { Upstream } from '../../providers/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { ContractDialect } from './contract-dialect.ts'
import { readReply, withLayer } from './layer-bench.ts'
import type { TriedLayer } from './layer-under-test.ts'

/** What a layer does with replies. */
export function replyCases({ open, says, answers, dialect }: TriedLayer): readonly ContractCase[] {
  return [
    {
      name: 'wherever a stream is cut, it says what the whole reply says',
      run: async () => {
        let pieces: (said: string) => readonly string[] = (said) => [said]
        let said = ''
        const upstream = answering(dialect, (body) => pieces((said = answers(body))))
        await withLayer({ layer: open(), upstream }, async ({ send }) => {
          const whole = readReply(dialect, await send(dialect, dialect.body(says))).text
          for (let cut = -1; cut < said.length; cut += 1) {
            pieces = (text) => (cut < 0 ? Array.from(text) : [text.slice(0, cut), text.slice(cut)])
            const { text, failure } = readReply(dialect, await send(dialect, dialect.body(says, true)))
            equal(failure, undefined)
            equal(text, whole)
          }
        })
      },
    },
    {
      name: 'a refusal of the provider comes through with its status',
      run: async () => {
        const script = () => ({ fault: { kind: 'error', status: 429, message: 'slow down' } }) as const
        for (const stream of [false, true]) {
          await withLayer({ layer: open(), script }, async ({ send }) => {
            const { status, text } = await send(dialect, dialect.body(says, stream))
            equal(status, 429)
            equal(text.includes('slow down'), true)
          })
        }
      },
    },
  ]
}

function answering(dialect: ContractDialect, pieces: (body: string) => readonly string[]): Upstream {
  return {
    name: 'cutting',
    send: async ({ body = '' }) => {
      const asked = typeof body === 'string' ? body : Buffer.from(body).toString('utf8')
      const said = pieces(asked)
      const { stream } = JSON.parse(asked) as { readonly stream?: boolean }
      const text = stream === true ? dialect.stream(said) : dialect.whole(said.join(''))
      return {
        status: 200,
        headers: { 'content-type': stream === true ? 'text/event-stream' : 'application/json' },
        body: (async function* () {
          yield Buffer.from(text)
        })(),
      }
    },
    close: async () => undefined,
  }
}
