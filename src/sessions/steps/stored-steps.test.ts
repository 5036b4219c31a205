import { describe, expect, it } from 'vitest'
import { claimStep, taskBoard } from '../../core/index.ts'
import type { TaskBoard } from '../../core/index.ts'
import { memoryBlobs, memoryStore } from '../../stores/index.ts'
import { putArtifact } from '../artifacts/put-artifact.ts'
import { getArtifact, listArtifacts } from '../artifacts/read-artifacts.ts'
import type { HostState } from './host-state.ts'
import type { StepToPack } from './step-pack.ts'
import { storedFinish, storedStepPack } from './stored-steps.ts'

const plan = taskBoard({
  taskId: 'release 1',
  goal: 'A release',
  steps: [
    { id: 'find', goal: 'Find the change', checklist: ['Names one commit'] },
    { id: 'fix', goal: 'Fix it', checklist: ['The build is green'], needs: ['find'] },
  ],
})

const host = () => ({ store: memoryStore(), blobs: memoryBlobs(), clock: () => Date.UTC(2026, 10, 22), tenant: 'acme' })

function stateOf(board: TaskBoard, uri?: string): HostState {
  const artifacts = uri === undefined ? [] : [{ uri, text: 'error: no such module', title: 'build log' }]
  return {
    plan: { instructions: 'Work in small steps.', board },
    tools: [],
    knowledge: { memory: [], artifacts },
    events: [],
  }
}

const askedFor = (stepId: string): StepToPack => ({
  sessionId: 's1',
  stepId,
  by: 'ann',
  request: 'What broke the build?',
  budget: { windowTokens: 8000 },
  createdAt: '2026-11-22T12:00:00Z',
})

async function textOf(own: ReturnType<typeof host>, uri: string): Promise<string> {
  return new TextDecoder().decode((await getArtifact(own, { tenant: 'acme', uri })).bytes)
}

describe('steps whose artifacts are stored', () => {
  it('A-026, A-023: the manifest of each pack is an artifact of its step, and tells of the pack', async () => {
    const own = host()
    const state = stateOf(claimStep(plan, 'find', 'ann'))
    const { manifestUri = '', manifest } = await storedStepPack(own, state, askedFor('find'))
    expect(manifestUri).toMatch(/^artifact:\/\/tasks\/h-[0-9a-f]{32}\/step-find\/manifest\.json$/)
    expect(JSON.parse(await textOf(own, manifestUri))).toMatchObject({
      packId: manifest.packHash,
      checksum: `sha256:${manifest.packHash}`,
      artifactUris: [],
    })
    const [row] = await listArtifacts(own, { tenant: 'acme', limit: 9 })
    expect(row).toMatchObject({ class: 'manifest', session: 's1', mediaType: 'application/json' })
  })

  it.each([
    ['It was 3f2a.', 'response.md', 'text/markdown'],
    ['{"commit":"3f2a"}', 'response.json', 'application/json'],
  ])('M-14, A-038: the reply %s of a step is evidence of the next one, as %s', async (response, name, mediaType) => {
    const own = host()
    const done = await storedFinish(own, claimStep(plan, 'find', 'ann'), 'find', { by: 'ann', response, session: 's1' })
    const uri = done.steps[0]?.responseUri ?? ''
    expect(uri.endsWith(`/step-find/${name}`)).toBe(true)
    expect(await textOf(own, uri)).toBe(response)
    const { artifact } = await getArtifact(own, { tenant: 'acme', uri })
    expect(artifact).toMatchObject({ class: 'evidence', mediaType, session: 's1' })
    const next = await storedStepPack(own, stateOf(claimStep(done, 'fix', 'ann')), askedFor('fix'))
    expect(next.manifest.artifactUris).toEqual([uri])
    expect(JSON.stringify(next.pack)).toContain(uri)
    expect(JSON.parse(await textOf(own, next.manifestUri ?? ''))).toMatchObject({ artifactUris: [uri] })
  })

  it('stores nothing where the step is not claimed by the same', async () => {
    const own = host()
    const finishing = storedFinish(own, claimStep(plan, 'find', 'bob'), 'find', { by: 'ann', response: 'It was 3f2a.' })
    await expect(finishing).rejects.toMatchObject({ code: 'conflict' })
    expect(await listArtifacts(own, { tenant: 'acme', limit: 9 })).toEqual([])
  })

  it('A-022: evidence that names an artifact that is not there is an error that names the URI', async () => {
    const own = host()
    const uri = 'artifact://tasks/7/step-1/build.log'
    const state = stateOf(claimStep(plan, 'find', 'ann'), uri)
    await expect(storedStepPack(own, state, askedFor('find'))).rejects.toMatchObject({
      code: 'evidence-missing',
      message: expect.stringContaining(uri),
      data: { uri, field: expect.stringMatching(/^items\[\d+\]\.provenance\.uri$/) },
    })
    await putArtifact(own, { tenant: 'rival', uri, bytes: new TextEncoder().encode('log') })
    await expect(storedStepPack(own, state, askedFor('find'))).rejects.toMatchObject({ code: 'evidence-missing' })
    const { sha256 } = await putArtifact(own, { tenant: 'acme', uri, bytes: new TextEncoder().encode('log') })
    expect((await storedStepPack(own, state, askedFor('find'))).manifest.artifactUris).toEqual([uri])
    const byHash = stateOf(claimStep(plan, 'find', 'ann'), `artifact://sha256/${sha256}`)
    expect((await storedStepPack(own, byHash, askedFor('find'))).outcome.kind).toBe('ok')
    const foreign = stateOf(claimStep(plan, 'find', 'ann'), 'artifact://build.log')
    expect((await storedStepPack(own, foreign, askedFor('find'))).outcome.kind).toBe('ok')
  })
})
