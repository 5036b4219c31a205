import { defaultRetention } from '../../stores/index.ts'
import type { Artifact, ArtifactWrite, Store } from '../../stores/index.ts'
import type { ContractCase } from '../contract-case.ts'
import type { CaseMaker } from './contract-case.ts'
import { rejectsWith, same } from './contract-case.ts'

const dayMs = 86_400_000
const hash = (digit: string): string => digit.repeat(64)

function write(store: Store, writes: readonly ArtifactWrite[], { tenant = 'acme', nowMs = 10 } = {}): Promise<void> {
  const scope = { tenant, session: '' }
  return store.commit({ scope, nowMs, writes: writes.map((one) => ({ table: 'artifacts', ...one })) })
}

interface Put extends Partial<Artifact> {
  readonly nowMs?: number
}

async function put(store: Store, path: string, version: number, { tenant, nowMs, ...more }: Put = {}): Promise<void> {
  const at = { ...(tenant !== undefined && { tenant }), ...(nowMs !== undefined && { nowMs }) }
  const {
    sha256 = hash('a'),
    sizeBytes = 3,
    mediaType = 'text/plain',
    class: of = 'evidence',
    session,
    requestId,
  } = more
  const named = { ...(session !== undefined && { session }), ...(requestId !== undefined && { requestId }) }
  await write(store, [{ blob: sha256 }], at)
  await write(store, [{ artifact: { path, version, sha256, sizeBytes, mediaType, class: of, ...named } }], at)
}

async function paths(store: Store, query: object = {}): Promise<readonly string[]> {
  const found = await store.read('artifacts').list({ tenant: 'acme', limit: 99, ...query })
  return found.map(({ path, version }) => `${path} ${version}`)
}

const report = 'tasks/42/step-1/report.md'
const full = {
  tenant: 'acme',
  path: report,
  version: 1,
  sha256: hash('a'),
  sizeBytes: 64 * 1024 * 1024,
  mediaType: 'text/markdown; charset=utf-8',
  createdMs: 10,
  class: 'raw',
  hold: false,
  session: 'a session é',
  requestId: 'req_1',
} as const satisfies Artifact

/** Artifacts: versions, tenants, order, hold, retention, and bytes that nothing names. */
export function artifactCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [...versionCases(makeCase), ...upkeepCases(makeCase)]
}

function versionCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('artifacts: a version is found by its path and by its hash, of its tenant alone', async (bench) => {
      const { store } = bench
      same(await store.read('artifacts').get('acme', report), undefined)
      await put(store, report, 1, full)
      const other = await bench.openAgain()
      same(await other.read('artifacts').get('acme', report), full)
      same(await other.read('artifacts').byHash('acme', hash('a')), full)
      same(await other.read('artifacts').get('rival', report), undefined)
      same(await other.read('artifacts').byHash('rival', hash('a')), undefined)
      await put(store, report, 1, { tenant: 'rival', sha256: hash('b') })
      same((await store.read('artifacts').get('acme', report))?.sha256, hash('a'))
      same(await store.read('artifacts').byHash('acme', hash('b')), undefined)
    }),

    makeCase('artifacts: each version follows the one before, and all are kept', async (bench) => {
      const { store } = bench
      await put(store, report, 1)
      await rejectsWith(put(store, report, 1, { sha256: hash('b') }), 'conflict')
      await rejectsWith(put(store, report, 3), 'conflict')
      await put(await bench.openAgain(), report, 2, { sha256: hash('b') })
      same((await store.read('artifacts').get('acme', report))?.version, 2)
      same((await store.read('artifacts').get('acme', report, 1))?.sha256, hash('a'))
      same(await store.read('artifacts').get('acme', report, 3), undefined)
      same(await paths(store), [`${report} 2`])
      same(await paths(store, { versions: true }), [`${report} 2`, `${report} 1`])
    }),

    makeCase('artifacts: a version names bytes that were announced', async ({ store }) => {
      const { tenant: _tenant, createdMs: _createdMs, hold: _hold, ...artifact } = full
      await rejectsWith(write(store, [{ artifact }]), 'conflict')
      await write(store, [{ blob: full.sha256 }], { tenant: 'rival' })
      await rejectsWith(write(store, [{ artifact }]), 'conflict')
    }),

    makeCase(
      'artifacts: lists are in the order of paths, begin with a prefix and go on behind a place',
      async (bench) => {
        const { store } = bench
        const names = [
          'tasks/1/step-1/b',
          'tasks/1/step-1/B',
          'tasks/1/step-10/a',
          'tasks/1/step-2/a',
          'tasks/10/step-1/a',
        ]
        for (const path of names) await put(store, path, 1)
        await put(store, 'tasks/1/step-1/b', 2, { sha256: hash('b') })
        await put(store, 'tasks/1/step-1/c', 1, { tenant: 'rival' })
        same(await paths(store, { prefix: 'tasks/1/' }), [
          'tasks/1/step-1/B 1',
          'tasks/1/step-1/b 2',
          'tasks/1/step-10/a 1',
          'tasks/1/step-2/a 1',
        ])
        const after = { path: 'tasks/1/step-1/b', version: 2 }
        same(await paths(store, { prefix: 'tasks/1/', after, limit: 1 }), ['tasks/1/step-10/a 1'])
        same(await paths(store, { after, limit: 1, versions: true }), ['tasks/1/step-1/b 1'])
        same(await paths(store, { prefix: 'tasks/10/' }), ['tasks/10/step-1/a 1'])
      },
    ),

    makeCase('artifacts: a version or all of a path are dropped; what is on hold stays', async ({ store }) => {
      await put(store, report, 1)
      await put(store, report, 2)
      await put(store, report, 3)
      await write(store, [{ hold: report, version: 2, on: true }])
      same((await store.read('artifacts').get('acme', report, 2))?.hold, true)
      await write(store, [{ drop: report, version: 3 }], { tenant: 'rival' })
      await write(store, [{ drop: report, version: 3 }])
      same(await paths(store, { versions: true }), [`${report} 2`, `${report} 1`])
      await write(store, [{ drop: report }])
      same(await paths(store, { versions: true }), [`${report} 2`])
      await write(store, [{ hold: report, on: false }])
      await write(store, [{ drop: report }])
      same(await paths(store, { versions: true }), [])
    }),
  ]
}

function upkeepCases(makeCase: CaseMaker): readonly ContractCase[] {
  return [
    makeCase('artifacts: each class has a window, and what is on hold outlives it', async ({ store }) => {
      const retention = { ...defaultRetention, artifactAgesMs: { evidence: 90 * dayMs, raw: 30 * dayMs } }
      for (const kind of ['evidence', 'raw', 'manifest'] as const)
        await put(store, `tasks/1/step-1/${kind}`, 1, { class: kind })
      await put(store, 'tasks/1/step-1/held', 1, { class: 'raw' })
      await write(store, [{ hold: 'tasks/1/step-1/held', on: true }])
      await put(store, 'tasks/1/step-1/raw', 2, { class: 'raw', nowMs: 20 * dayMs })
      same(await store.prune(30 * dayMs + 10, retention), {})
      same(await store.prune(30 * dayMs + 11, retention), { artifacts: 1 })
      same(await store.prune(30 * dayMs + 11, retention), {})
      same((await paths(store, { versions: true })).includes('tasks/1/step-1/raw 2'), true)
      same(await store.prune(500 * dayMs, retention), { artifacts: 2 })
      same(await paths(store), ['tasks/1/step-1/held 1', 'tasks/1/step-1/manifest 1'])
    }),

    makeCase(
      'artifacts: bytes that nothing names are claimed by a sweep, and by nobody else until they are gone',
      async (bench) => {
        const { store } = bench
        const unnamed = (beforeMs: number) => store.read('artifacts').unnamed(beforeMs, 9)
        await put(store, report, 1, { sha256: hash('a') })
        await write(store, [{ blob: hash('b') }], { nowMs: 20 })
        same(await unnamed(20), [])
        same(await unnamed(21), [{ tenant: 'acme', hash: hash('b') }])
        await rejectsWith(write(store, [{ sweep: hash('a'), beforeMs: 99 }]), 'conflict')
        await rejectsWith(write(store, [{ sweep: hash('b'), beforeMs: 20 }]), 'conflict')
        await rejectsWith(write(store, [{ sweep: hash('b'), beforeMs: 99 }], { tenant: 'rival' }), 'conflict')
        await write(store, [{ sweep: hash('b'), beforeMs: 21 }])
        const other = await bench.openAgain()
        await rejectsWith(write(other, [{ blob: hash('b') }], { nowMs: 22 }), 'conflict')
        await rejectsWith(put(other, 'tasks/1/step-1/b', 1, { sha256: hash('b') }), 'conflict')
        same(await unnamed(21), [{ tenant: 'acme', hash: hash('b') }])
        await write(store, [{ sweep: hash('b'), beforeMs: 21 }])
        await write(store, [{ swept: hash('b') }, { swept: hash('a') }])
        same(await unnamed(99), [])
        await put(other, 'tasks/1/step-1/b', 1, { sha256: hash('b') })
        await write(store, [{ drop: report }])
        same(await unnamed(99), [{ tenant: 'acme', hash: hash('a') }])
      },
    ),
  ]
}
