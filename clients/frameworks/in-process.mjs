// What an agent that packs its own calls is given: the integration of its framework, and a store where the receipts are looked for.
import { join } from 'node:path'

const { PREHEND_SOURCE: source, PREHEND_DATA: data } = process.env

/** Gives what `make` makes of an integration and its options; undefined where the job is to be done without. */
export async function inProcess(name, make) {
  if (data === undefined) return undefined
  const [integration, { sqliteStore }] = await Promise.all([
    import(join(source, 'integrations', name, 'index.ts')),
    import(join(source, 'stores/index.ts')),
  ])
  const store = sqliteStore({ path: join(data, 'prehend.sqlite') })
  return make(integration, { store, policy: 'thrifty', record: 'content' })
}
