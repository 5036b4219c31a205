import { describe, expect, it } from 'vitest'
import type { Item } from '../../core/index.ts'
import { evidence, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'

const call = (id: string, args: string): Item =>
  itemOf('history', `${id}.call`, args, { kind: 'tool-call', role: 'assistant', group: id, toolName: 'read' })
const result = (id: string, text: string): Item =>
  itemOf('history', id, text, { kind: 'tool-result', role: 'tool', group: id, toolName: 'read' })
const says = (id: string, text: string): Item => itemOf('history', id, text, { role: 'assistant' })
const asks = itemOf('query', 'ask', 'Why does it fail?', { role: 'user' })

function wasteIn(items: readonly Item[], trackWaste = true) {
  const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
  const policy = { ...careful, trackWaste }
  const { manifest } = compiler.compile({ items, layout: 'messages', policy, budget: { windowTokens: 50_000 } })
  return manifest.waste
}

describe('C-026: what of a conversation was never used', () => {
  it('is not looked for unless told', () => {
    expect(wasteIn([asks, call('a', '{}'), result('a', 'x = 1'), says('s', 'Well.')], false)).toBeUndefined()
  })

  it('is what no later answer or call has a new name of, or words in a row', () => {
    const items = [
      asks,
      call('a', '{"path":"src/server.ts"}'),
      result('a', 'export function open_socket() {}'),
      call('b', '{"path":"src/client.ts"}'),
      result('b', `export function close_socket() {}\n${words(50, 'idle')}`),
      call('c', '{"path":"notes.txt"}'),
      result('c', 'the deploy must never run before noon on a friday'),
      call('d', '{"path":"log.txt"}'),
      result('d', 'retry after 48213 ms'),
      evidence('e', 'Somebody once wrote that_other_thing down.'),
      says('s', 'It is open_socket. And the deploy must never run before noon, wait 48213 ms.'),
    ]
    const waste = wasteIn(items)
    expect(waste?.unusedIds).toEqual(['b', 'e'])
    const tokens = (ids: readonly string[]) =>
      ids.reduce((sum, id) => sum + wordTokenizer.count(items.find((item) => item.id === id)?.text ?? ''), 0)
    expect(waste).toMatchObject({
      unusedItems: 2,
      unusedTokens: tokens(['b', 'e']),
      sentTokens: tokens(['a', 'b', 'c', 'd', 'e']),
    })
  })

  it('a name that was known before an item proves no use of it', () => {
    const known = itemOf('history', 'hint', 'Look at open_socket.', { role: 'user' })
    const items = [asks, known, call('a', '{}'), result('a', 'open_socket'), says('s', 'open_socket it is.')]
    expect(wasteIn(items)?.unusedIds).toEqual(['a'])
  })

  it('what no answer has followed yet cannot have been used', () => {
    const items = [asks, call('a', '{}'), result('a', 'open_socket')]
    expect(wasteIn(items)).toEqual({ sentTokens: 0, unusedTokens: 0, unusedItems: 0, unusedIds: [] })
  })

  it('names the dearest only, and counts all', () => {
    const rounds = Array.from({ length: 30 }, (_, at) => [
      call(`r${at}`, '{}'),
      result(`r${at}`, words(at + 1, `w${at}v`)),
    ])
    const waste = wasteIn([asks, ...rounds.flat(), says('s', 'Nothing.')])
    expect([waste?.unusedItems, waste?.unusedIds.length, waste?.unusedIds[0]]).toEqual([30, 20, 'r29'])
  })
})
