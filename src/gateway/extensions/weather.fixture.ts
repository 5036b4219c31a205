import { isMainThread } from 'node:worker_threads'
import { extension, extensionTable } from './index.ts'

const days = extensionTable<number>('weather', 'days')
const notes = extensionTable<{ readonly text: string }>('weather', 'notes')

/** Keeps the weather in tables of its own: written on the thread that carries a request, read by routes and a command. */
export const weather = extension({
  name: 'weather',
  specificationVersion: 1,
  tables: [notes, days],
  open({ table }) {
    const [ofDays, ofNotes] = [table(days), table(notes)]
    return {
      layers: [
        {
          name: 'weather',
          failure: 'open',
          appliesTo: ({ kind }) => kind === 'messages',
          async handle(exchange, next) {
            const scope = { tenant: exchange.tenant, session: '' }
            const text = isMainThread ? 'here' : 'on a carrying thread'
            await ofDays.write(scope, { key: 'monday', value: 21 }, { key: 'sunday', value: 30 })
            await ofNotes.write(scope, { key: 'last', value: { text } })
            return next(exchange)
          },
        },
      ],
      ladders: [() => undefined],
      routes: [
        {
          method: 'get',
          path: '/',
          async answer({ tenant }) {
            const [day, note] = [await ofDays.read.get(tenant, 'sunday'), await ofNotes.read.get(tenant, 'last')]
            return { json: [day?.value ?? null, note?.value.text ?? null] }
          },
        },
      ],
      commands: [
        {
          name: 'weather',
          about: 'says how a day was, and writes how it is',
          async run({ arguments: [day = '', degrees], out }) {
            out(`${(await ofDays.read.get('default', day))?.value ?? 'unknown'}\n`)
            if (degrees !== undefined)
              await ofDays.write({ tenant: 'default', session: '' }, { key: day, value: Number(degrees) })
          },
        },
      ],
    }
  },
})

export const weatherTables = [notes, days] as const
