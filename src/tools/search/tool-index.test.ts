import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SearchedTool, ToolIndexOptions } from './searched-tool.ts'
import { toolIndex } from './tool-index.ts'

const tool = (id: string, description: string, rest: Partial<SearchedTool> = {}): SearchedTool => ({
  id,
  name: id,
  description,
  schema: {},
  ...rest,
})

const idsFor = (tools: readonly SearchedTool[], query: string, options?: ToolIndexOptions): readonly string[] =>
  toolIndex(tools, options)
    .search(query)
    .map(({ id }) => id)

const filler = ['alpha', 'beta', 'gamma', 'delta'].map((name) => tool(name, `Handles ${name} records.`))

describe('a search of tools', () => {
  it('finds nothing in an empty catalogue, for a query without words, and where no word is common', () => {
    expect(idsFor([], 'weather')).toEqual([])
    expect(idsFor(filler, '??? the of')).toEqual([])
    expect(idsFor(filler, 'qwertz')).toEqual([])
  })

  it('reads names in every way that they are written', () => {
    const names = ['getUserInvoices', 'get_user_invoices', 'get-user-invoices', 'HTTPInvoiceReader']
    for (const name of names) expect(idsFor([tool(name, ''), ...filler], 'invoice')[0]).toBe(name)
  })

  it('finds a name that is written as one word', () => {
    expect(idsFor([tool('gifsearcher', 'Media.'), ...filler], 'a searcher of kittens')).toEqual(['gifsearcher'])
  })

  it('finds by names, descriptions and allowed values of parameters, however deep', () => {
    const schema = {
      type: 'object',
      properties: {
        order: {
          type: 'object',
          properties: { sweetness: { description: 'Spoons of sugar', enum: ['extra_bitter'] } },
        },
      },
    }
    for (const query of ['sweetness', 'sugar', 'bitter'])
      expect(idsFor([tool('drink', 'Changes it.', { schema }), ...filler], query)).toEqual(['drink'])
  })

  it('reads schemas of any depth and size, and no more of them than it needs', () => {
    let deep: SearchedTool['schema'] = { type: 'string', description: 'bottom' }
    for (let at = 0; at < 5000; at += 1) deep = { properties: { inner: deep } }
    const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, {}])) }
    const index = toolIndex([tool('deep', '', { schema: deep }), tool('wide', '', { schema: wide })])
    expect(index.search('inner').map(({ id }) => id)).toEqual(['deep'])
    expect(index.search('p3 p4999').map(({ id }) => id)).toEqual(['wide'])
    expect(index.search('p4999')).toEqual([])
  })

  it('finds a tool that says little of itself among those that say much', () => {
    const properties = Object.fromEntries(
      ['city', 'unit', 'days', 'language'].map((name) => [name, { description: `The ${name} of the forecast` }]),
    )
    const rich = (id: string): SearchedTool =>
      tool(id, 'Forecast of a city', { schema: { properties }, server: 'skies', examples: ['Forecast of my city'] })
    const tools = [rich('a-rich'), rich('b-rich'), rich('c-rich'), tool('poor', 'Forecast of a city')]
    expect(idsFor(tools, 'forecast city')).toContain('poor')
    const [first, ...others] = toolIndex(tools).search('forecast city')
    expect((others.find(({ id }) => id === 'poor')?.score ?? 0) / (first?.score ?? 1)).toBeGreaterThan(0.65)
  })

  it('knows words that mean about the same, and prefers the word itself', () => {
    const tools = [tool('one', 'Erases a row.'), tool('two', 'Deletes a row.'), ...filler]
    expect(idsFor(tools, 'delete')).toEqual(['two', 'one'])
    expect(idsFor(tools, 'delete', { without: ['related-words'] })).toEqual(['two'])
  })

  it('lifts the other hits of a server that fits', () => {
    const of = (server: string, name: string, description: string): SearchedTool =>
      tool(`${server}::${name}`, description, { name, server })
    const tools = [
      of('zmaps', 'route', 'Route by bike along streets'),
      of('zmaps', 'places', 'Streets'),
      of('chart', 'places', 'Streets'),
      ...filler,
    ]
    const query = 'bike route along streets'
    expect(idsFor(tools, query)).toEqual(['zmaps::route', 'zmaps::places', 'chart::places'])
    expect(idsFor(tools, query, { without: ['servers'] })).toEqual(['zmaps::route', 'chart::places', 'zmaps::places'])
  })

  it('finds by what was asked for before the tool was called', () => {
    const pastQueries = ['Which gear should I wear on the slopes?']
    expect(idsFor([tool('wardrobe', 'Looks up records.', { pastQueries }), ...filler], 'gear for slopes')).toEqual([
      'wardrobe',
    ])
  })

  it('finds a tool for each thing that a question asks for', () => {
    const quakes = ['one', 'two'].map((id) => tool(id, 'Earthquake magnitude, depth and region of a feed'))
    const tools = [tool('courier', 'Brings a parcel.'), tool('hint', 'Earthquake feed of parcel'), ...quakes, ...filler]
    const query = 'List each earthquake by magnitude, depth and region of the feed, then bring the parcel'
    const partOfBest = (options?: ToolIndexOptions): number => {
      const [best, ...others] = toolIndex(tools, options).search(query)
      expect(best?.id).toBe('one')
      return (others.find(({ id }) => id === 'courier')?.score ?? 0) / (best?.score ?? 1)
    }
    expect(partOfBest()).toBeGreaterThan(partOfBest({ without: ['clauses'] }))
  })

  it('reads of a query neither tags nor the names of speakers', () => {
    const tools = [tool('server_tool', 'Tool of a server.'), tool('audio', 'Loads sound.')]
    expect(idsFor(tools, '<tool_assistant>\nserver: audio\ntool: load sound\n</tool_assistant>')).toEqual(['audio'])
  })

  it('of a long query it reads the beginning and the end, in bounded time', () => {
    const noise = 'lorem ipsum dolor '.repeat(200_000)
    const found = idsFor([tool('invoice', 'Writes an invoice.'), ...filler], `Please ${noise} write an invoice`)
    expect(found).toEqual(['invoice'])
  })

  it('multiplies scores by what is known of the quality of a tool', () => {
    const index = toolIndex([tool('north', 'Sends mail.'), tool('south', 'Sends mail.')])
    const [first, second] = index.search('mail', { quality: (id) => (id === 'south' ? 1.5 : 1) })
    expect([first?.id, second?.id]).toEqual(['south', 'north'])
    expect(first?.score).toBeCloseTo(1.5 * (second?.score ?? 0))
    expect(first?.fit).toBeCloseTo(second?.fit ?? 0)
  })

  it('gives the best up to the limit, and of equal ones the first by id', () => {
    const tools = Array.from({ length: 30 }, (_, at) => tool(`mail-${String(at).padStart(2, '0')}`, 'Sends mail.'))
    const index = toolIndex(tools.toReversed().map((one) => ({ ...one, name: 'mail' })))
    expect(index.size).toBe(30)
    expect(index.search('mail')).toHaveLength(20)
    expect(index.search('mail', { limit: 2 }).map(({ id }) => id)).toEqual(['mail-00', 'mail-01'])
  })

  it('gives the same whatever the order of tools', () => {
    const words = fc.constantFrom('send', 'mail', 'file', 'weather', 'list', 'delete', 'invoice')
    const catalogue = fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 4 }),
        about: fc.array(words, { maxLength: 5 }),
        server: words,
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    fc.assert(
      fc.property(catalogue, fc.array(words, { maxLength: 4 }), fc.nat(), (drawn, query, turn) => {
        const tools = drawn.map(({ id, about, server }) => tool(id, about.join(' '), { server }))
        const turned = [
          ...tools.slice(turn % (tools.length + 1)),
          ...tools.slice(0, turn % (tools.length + 1)),
        ].toReversed()
        expect(toolIndex(turned).search(query.join(' '))).toEqual(toolIndex(tools).search(query.join(' ')))
      }),
    )
  })
})

describe('a search by meaning', () => {
  const tools = [tool('umbrella', 'Weather'), tool('ledger', 'Accounts')]
  const vectors = new Map([
    ['umbrella', [1, 0]],
    ['ledger', [0, 1]],
  ])

  it('finds what shares no word with the query', () => {
    const index = toolIndex(tools, { meanings: { vectors } })
    expect(index.search('qwertz', { vector: [0.9, 0.1] })[0]?.id).toBe('umbrella')
    expect(index.search('qwertz')).toEqual([])
  })

  it('takes words and meaning together', () => {
    const index = toolIndex(tools, { meanings: { vectors } })
    expect(
      index
        .search('accounts', { vector: [0.6, 0.5] })
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['ledger', 'umbrella'])
    expect(index.search('accounts', { vector: [0, 1] })[0]?.id).toBe('ledger')
  })

  it('refuses vectors of different lengths by name', () => {
    const odd = new Map([...vectors, ['ledger', [1]]])
    expect(() => toolIndex(tools, { meanings: { vectors: odd } })).toThrow('vectors of ')
    expect(() => toolIndex(tools, { meanings: { vectors } }).search('x', { vector: [1, 2, 3] })).toThrow('vector')
  })
})
