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

/** Opens the database of that name, empty at first. Opened again meanwhile, it is what a second process would have. */
export type OpenPassages = (database: string) => Passages | Promise<Passages>

let databases = 0

/** What every implementation of `Passages` must do, for any test runner. Each case opens an empty database. */
export function passagesContract(name: string, open: OpenPassages): readonly ContractCase[] {
  const make = (what: string, work: (passages: Passages, other: Passages) => Promise<void>): ContractCase => ({
    name: `${name}: ${what}`,
    async run() {
      databases += 1
      const database = `passages-${databases}`
      const passages = await open(database)
      const other = await open(database)
      await passages.put(notes, 'animals', animals)
      await passages.put(notes, 'tools', tools)
      await work(passages, other)
      for (const opened of new Set([passages, other])) await opened.close()
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
      same(await refused(passages.put(notes, 'animals', bad)), ['invalid-input', 'passages[1].vector'])
      const query = { words: 'fine otters', most: 9 }
      same(named((await passages.search(notes, query)).byWords), ['animals/1'])
      const short = { vector: Float32Array.of(1, 0), most: 1 }
      same(await refused(passages.search(notes, short)), ['invalid-input', 'query.vector'])
    }),

    make('an id that stands twice, and a vector that is empty or not finite, are refused by name', async (passages) => {
      const put = (...given: readonly StoredPassage[]): Promise<unknown> => refused(passages.put(notes, 'bad', given))
      const one = { id: '1', text: 'One.' }
      same(await put(one, one), ['invalid-input', 'passages[1].id'])
      same(await put({ ...one, vector: new Float32Array(0) }), ['invalid-input', 'passages[0].vector'])
      same(await put({ ...one, vector: Float32Array.of(1, Number.NaN, 0) }), ['invalid-input', 'passages[0].vector'])
      const search = (vector: Float32Array): Promise<unknown> => refused(passages.search(notes, { vector, most: 1 }))
      same(await search(new Float32Array(0)), ['invalid-input', 'query.vector'])
      same(await search(Float32Array.of(1, Number.POSITIVE_INFINITY, 0)), ['invalid-input', 'query.vector'])
    }),

    make('a vector without a direction is like nothing, and so is a query without one', async (passages) => {
      await passages.put(notes, 'zero', [{ id: '1', text: 'Nothing.', vector: Float32Array.of(0, 0, 0) }])
      const { byVector } = await passages.search(notes, { vector: Float32Array.of(1, 0, 0), most: 9 })
      same(byVector.find(({ document }) => document === 'zero')?.score, 0)
      const none = await passages.search(notes, { vector: Float32Array.of(0, 0, 0), most: 9 })
      same(new Set(none.byVector.map(({ score }) => score)), new Set([0]))
      same(none.byVector.length, 4)
    }),

    make('vectors of opposite direction are least alike, and what was given may be changed later', async (passages) => {
      const vector = Float32Array.of(-1, 0, 0)
      await passages.put(notes, 'opposite', [{ id: '1', text: 'The other way.', vector }])
      vector.fill(7)
      const { byVector } = await passages.search(notes, { vector: Float32Array.of(3, 0, 0), most: 9 })
      same([named(byVector).at(-1), byVector.at(-1)?.score], ['opposite/1', -1])
    }),

    make('names and texts may hold any character', async (passages, other) => {
      for (const odd of ['a NUL \0 inside', 'a lone \uD800 surrogate', 'a mark \u0001 and \u2028', "quotes ' and %"]) {
        const at = { tenant: odd, collection: odd }
        await passages.put(at, odd, [{ id: odd, text: odd, vector: Float32Array.of(1, 1e-30) }])
        const query = { vector: Float32Array.of(1, 0), most: 2, documents: [odd] }
        for (const asked of [passages, other])
          same((await asked.search(at, query)).byVector, [{ document: odd, id: odd, text: odd, score: 1 }])
      }
    }),

    make('a change is seen by every search that begins later, of whatever process', async (passages, other) => {
      const query = { words: 'otters hammer', vector: Float32Array.of(1, 0, 0), most: 1 }
      const found = async (): Promise<unknown> => {
        const { byWords, byVector } = await other.search(notes, query)
        return [named(byWords), named(byVector)]
      }
      same(await found(), [['animals/1'], ['animals/1']])
      await passages.put(notes, 'animals', [{ id: '9', text: 'Otters.', vector: Float32Array.of(1, 0, 0) }])
      same(await found(), [['animals/9'], ['animals/9']])
      await passages.put(notes, 'animals', [])
      same(await found(), [['tools/1'], ['tools/1']])
      await passages.drop(notes)
      same(await found(), [[], []])
      await passages.put(notes, 'animals', animals)
      same(await found(), [['animals/1'], ['animals/1']])
      await other.dropTenant('acme')
      same(await found(), [[], []])
      same((await passages.search(notes, query)).byWords, [])
    }),

    make('a tenant goes with all of its collections, and others stay', async (passages) => {
      const more = { ...notes, collection: 'more' }
      const stranger = { ...notes, tenant: 'acme2' }
      await passages.put(more, 'animals', animals)
      await passages.put(stranger, 'animals', animals)
      await passages.dropTenant('acme')
      const query = { words: 'otters', vector: Float32Array.of(1, 0, 0), most: 1 }
      for (const at of [notes, more]) same(await passages.search(at, query), { byWords: [], byVector: [] })
      same(named((await passages.search(stranger, query)).byVector), ['animals/1'])
    }),

    make('what many put at once is all there', async (passages, other) => {
      const names = Array.from({ length: 12 }, (_, at) => `d${at}`)
      const vector = Float32Array.of(0, 1, 0)
      await Promise.all(
        names.map((document, at) =>
          (at % 2 === 0 ? passages : other).put(notes, document, [{ id: '1', text: document, vector }]),
        ),
      )
      const { byVector } = await passages.search(notes, { vector, most: 12 })
      same(
        named(byVector),
        names.toSorted().map((document) => `${document}/1`),
      )
    }),
  ]
}

/** The code and the field of what was refused. */
async function refused(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => isPrehendError(error) && [error.code, 'field' in error.data && error.data.field],
  )
}
