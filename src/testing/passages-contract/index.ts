import { isPrehendError } from '../../core/index.ts'
import type { PassageHit, Passages, StoredPassage } from '../../stores/index.ts'
import { same } from '../store-contract/contract-case.ts'
import type { ContractCase } from '../contract-case.ts'

const notes = { tenant: 'acme', collection: 'notes' }

const animals: readonly StoredPassage[] = [
  { id: '1', text: 'Otters sleep on their backs and hold hands.', vector: Float32Array.of(1, 0, 0) },
  { id: '2', text: 'Herons stand on one leg in cold water.', vector: Float32Array.of(0.6, 0.8, 0) },
  { id: '3', text: 'A lake in winter.' },
]

const tools: readonly StoredPassage[] = [
  { id: '1', text: 'A hammer drives nails; a saw cuts boards.', vector: Float32Array.of(0, 0, 2) },
]

const named = (hits: readonly PassageHit[]): readonly string[] => hits.map(({ document, id }) => `${document}/${id}`)

/** What every implementation of `Passages` must do, for any test runner. Each case opens an empty store. */
export function passagesContract(name: string, open: () => Promise<Passages>): readonly ContractCase[] {
  const make = (what: string, work: (passages: Passages) => Promise<void>): ContractCase => ({
    name: `${name}: ${what}`,
    async run() {
      const passages = await open()
      await passages.put(notes, 'animals', animals)
      await passages.put(notes, 'tools', tools)
      await work(passages)
    },
  })
  return [
    make('passages are found by their words, whatever the form of the words, the best first', async (passages) => {
      const { byWords, byVector } = await passages.search(notes, { words: 'which otter holds a hand?', most: 5 })
      same([named(byWords)[0], byWords[0]?.text, byWords[0]?.score], ['animals/1', animals[0]?.text, 1])
      same(byVector, [])
      same((await passages.search(notes, { words: 'quantum', most: 5 })).byWords, [])
    }),

    make('passages are found by the direction of their vectors; one without a vector is not', async (passages) => {
      const { byWords, byVector } = await passages.search(notes, { vector: Float32Array.of(5, 0, 0), most: 9 })
      same(byWords, [])
      same(named(byVector), ['animals/1', 'animals/2', 'tools/1'])
      same(
        byVector.map(({ score }) => Math.round(score * 1e4) / 1e4),
        [1, 0.6, 0],
      )
      same(named((await passages.search(notes, { vector: Float32Array.of(0, 0, 1), most: 1 })).byVector), ['tools/1'])
    }),

    make('equal scores stand in the order of document and id', async (passages) => {
      const twin = { text: 'Same words.', vector: Float32Array.of(0, 1, 0) }
      await passages.put(notes, 'b', [{ ...twin, id: '1' }])
      await passages.put(notes, 'a', [
        { ...twin, id: '2' },
        { ...twin, id: '1' },
      ])
      const query = { words: 'same words', vector: Float32Array.of(0, 1, 0), most: 3 }
      const { byWords, byVector } = await passages.search(notes, query)
      same(named(byWords), ['a/1', 'a/2', 'b/1'])
      same(named(byVector), ['a/1', 'a/2', 'b/1'])
    }),

    make('a search may be bounded to documents', async (passages) => {
      const query = { words: 'hammer otters', vector: Float32Array.of(1, 1, 1), most: 9, documents: ['tools'] }
      const { byWords, byVector } = await passages.search(notes, query)
      same([named(byWords), named(byVector)], [['tools/1'], ['tools/1']])
    }),

    make('a document is replaced as a whole, and is gone at once when it is removed', async (passages) => {
      await passages.put(notes, 'animals', [{ id: '9', text: 'Only otters now.', vector: Float32Array.of(1, 0, 0) }])
      const query = { words: 'otters herons', vector: Float32Array.of(1, 0, 0), most: 9 }
      same(named((await passages.search(notes, query)).byWords), ['animals/9'])
      await passages.put(notes, 'animals', [])
      const { byWords, byVector } = await passages.search(notes, query)
      same([named(byWords), named(byVector)], [[], ['tools/1']])
    }),

    make('collections, and tenants with a collection of the same name, see nothing of each other', async (passages) => {
      const other = { ...notes, collection: 'others' }
      const stranger = { ...notes, tenant: 'evil' }
      await passages.put(stranger, 'animals', [{ id: '1', text: 'Otters of somebody else.' }])
      const query = { words: 'otters', most: 9 }
      same((await passages.search(other, query)).byWords, [])
      same(named((await passages.search(stranger, query)).byWords), ['animals/1'])
      await passages.drop(notes)
      same((await passages.search(notes, query)).byWords, [])
      same(named((await passages.search(stranger, query)).byWords), ['animals/1'])
    }),

    make('a vector of another length is refused by name, and nothing of its document is stored', async (passages) => {
      const bad = [
        { id: '1', text: 'Fine.', vector: Float32Array.of(1, 0, 0) },
        { id: '2', text: 'Short.', vector: Float32Array.of(1, 0) },
      ]
      const refused = async (work: Promise<unknown>): Promise<unknown> =>
        work.then(
          () => 'stored',
          (error: unknown) => isPrehendError(error) && [error.code, 'field' in error.data && error.data.field],
        )
      same(await refused(passages.put(notes, 'animals', bad)), ['invalid-input', 'passages[1].vector'])
      const query = { words: 'fine otters', most: 9 }
      same(named((await passages.search(notes, query)).byWords), ['animals/1'])
      const short = { vector: Float32Array.of(1, 0), most: 1 }
      same(await refused(passages.search(notes, short)), ['invalid-input', 'query.vector'])
    }),
  ]
}
