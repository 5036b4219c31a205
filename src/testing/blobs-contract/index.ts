import { createHash } from 'node:crypto'
import type { Blobs } from '../../stores/index.ts'
import { same } from '../store-contract/contract-case.ts'
import type { ContractCase } from '../contract-case.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)
const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const textOf = (bytes: Uint8Array | undefined): string | undefined => bytes && new TextDecoder().decode(bytes)

async function* partsOf(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytesOf(text)
}

/** What every implementation of `Blobs` must do, for any test runner. `open` gives another opener of the same blobs. */
export function blobsContract(
  name: string,
  open: (database: string) => Blobs | Promise<Blobs>,
): readonly ContractCase[] {
  let opened = 0
  const make = (what: string, work: (blobs: Blobs, again: () => Promise<Blobs>) => Promise<void>): ContractCase => ({
    name: `${name}: ${what}`,
    async run() {
      opened += 1
      const database = `blobs-${opened}`
      await work(await open(database), async () => open(database))
    },
  })
  return [
    make('bytes come back as they were, whole and in part, for any opener', async (blobs, again) => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, at) => (at * 31) % 256)
      const ref = await blobs.put('acme', bytes)
      same(ref, { tenant: 'acme', hash: hashOf(bytes), sizeBytes: 70_000 })
      const other = await again()
      same(await other.get(ref), bytes)
      same(await other.get(ref, { start: 3, end: 9 }), bytes.slice(3, 9))
      same(await other.get(ref, { start: 69_990, end: 99_999 }), bytes.slice(69_990))
      same((await other.get(ref, { start: 99_999, end: 100_000 }))?.length, 0)
    }),

    make('a stream is stored as its bytes, and nothing of one that fails', async (blobs) => {
      async function* parts(fails: boolean): AsyncGenerator<Uint8Array> {
        yield bytesOf('one ')
        if (fails) throw new Error('gone')
        yield bytesOf('two')
      }
      const ref = await blobs.put('acme', parts(false))
      same([ref.hash, ref.sizeBytes], [hashOf(bytesOf('one two')), 7])
      same(textOf(await blobs.get(ref)), 'one two')
      const failing = await blobs.put('acme', parts(true)).catch(() => 'failed')
      same(failing, 'failed')
      same(await blobs.get({ tenant: 'acme', hash: hashOf(bytesOf('one ')) }), undefined)
    }),

    make('who puts bytes hears what they are before anybody can read them, and may stop it', async (blobs, again) => {
      const other = await again()
      for (const given of [bytesOf('told'), partsOf('to', 'ld again')]) {
        const seen: unknown[] = []
        const ref = await blobs.put('acme', given, {
          beforeStored: async (told) => void seen.push(told, await other.get(told)),
        })
        same(seen, [ref, undefined])
        same((await other.get(ref))?.length, ref.sizeBytes)
      }
      const hash = hashOf(bytesOf('stopped'))
      for (const given of [bytesOf('stopped'), partsOf('stop', 'ped')]) {
        const beforeStored = (): Promise<void> => Promise.reject(new Error('not now'))
        same(await blobs.put('acme', given, { beforeStored }).catch(() => 'failed'), 'failed')
        same(await other.get({ tenant: 'acme', hash }), undefined)
      }
    }),

    make('the same bytes are stored once, for each tenant apart', async (blobs) => {
      const [one, again, other] = [
        await blobs.put('acme', bytesOf('same')),
        await blobs.put('acme', bytesOf('same')),
        await blobs.put('other/../acme', bytesOf('same')),
      ]
      same(one, again)
      await blobs.drop(one)
      await blobs.drop(one)
      same(await blobs.get(one), undefined)
      same(textOf(await blobs.get(other)), 'same')
      same(await blobs.get({ tenant: 'nobody', hash: one.hash }), undefined)
    }),

    make('all blobs of a tenant go at once, and those of others stay', async (blobs, again) => {
      const own = await Promise.all(['one', 'two', 'three'].map((text) => blobs.put('acme', bytesOf(text))))
      const other = await blobs.put('acme/../other', bytesOf('one'))
      await (await again()).dropTenant('acme')
      await blobs.dropTenant('acme')
      await blobs.dropTenant('nobody')
      for (const ref of own) same(await blobs.get(ref), undefined)
      same(textOf(await blobs.get(other)), 'one')
      const back = await blobs.put('acme', bytesOf('two'))
      same(textOf(await blobs.get(back)), 'two')
    }),

    make('no bytes are bytes, too, and putting some again beside a reader changes nothing', async (blobs) => {
      const none = await blobs.put('acme', new Uint8Array(0))
      same((await blobs.get(none))?.length, 0)
      const bytes = bytesOf('many at once')
      const refs = await Promise.all(Array.from({ length: 20 }, () => blobs.put('acme', bytes)))
      same(new Set(refs.map(({ hash }) => hash)).size, 1)
      same(textOf(await blobs.get(refs[0]!)), 'many at once')
    }),
  ]
}
