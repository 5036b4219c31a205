import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { claimStep, finishStep, taskBoard } from '../../core/index.ts'
import { toolIn } from '../../tokens/index.ts'
import { hostItems, hostStateOf } from './host-state.ts'
import type { HostState } from './host-state.ts'
import { stepPack } from './step-pack.ts'
import type { StepToPack } from './step-pack.ts'

const board = taskBoard({
  taskId: 'release',
  goal: 'A release',
  steps: [
    { id: 'find', goal: 'Find the change', checklist: ['Names one commit'], tools: ['git_log'] },
    {
      id: 'fix',
      goal: 'Fix it',
      checklist: ['The build is green'],
      constraints: ['Touch one file only'],
      needs: ['find'],
    },
  ],
})

const state: HostState = {
  plan: { instructions: 'Work in small steps.', board },
  tools: [
    { name: 'write_file', description: 'Writes a file.', schema: { type: 'object' } },
    { name: 'git_log', description: 'Lists commits.', schema: { type: 'object' } },
  ],
  knowledge: {
    memory: [{ id: 'm1', text: 'The build takes ten minutes.', learntAt: '2026-11-20T10:00:00Z' }],
    artifacts: [{ uri: 'artifact://build.log', text: 'error: no such module', title: 'build log' }],
  },
  events: [
    { id: 'e1', role: 'user', text: 'The build is red.' },
    { id: 'e2', role: 'assistant', text: 'I will look.' },
  ],
}

const asked: StepToPack = {
  sessionId: 's1',
  stepId: 'find',
  by: 'ann',
  request: 'What broke the build?',
  budget: { windowTokens: 8000 },
  createdAt: '2026-11-22T12:00:00Z',
}

const claimed = (from: HostState, stepId: string): HostState => ({
  ...from,
  plan: { ...from.plan, board: claimStep(from.plan.board, stepId, 'ann') },
})

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) frozen(member)
  return Object.freeze(value)
}

describe('a pack of a step', () => {
  it('A-038: is built for a claimed step only, and by who has claimed it', () => {
    expect(() => stepPack(state, asked)).toThrow(/Step find is ready/)
    expect(() => stepPack(claimed(state, 'find'), { ...asked, by: 'bob' })).toThrow(/claimed by ann/)
    const { outcome, pack } = stepPack(claimed(state, 'find'), asked)
    expect(outcome.kind).toBe('ok')
    const text = JSON.stringify(pack!.messages)
    for (const part of ['A release', 'Find the change', 'Names one commit', 'What broke the build?'])
      expect(text).toContain(part)
  })

  it('A-038: what a step has found is evidence for those that need it', () => {
    const found = [{ uri: 'artifact://commit/3f2a', text: 'commit 3f2a removed the module' }]
    const done = finishStep(claimStep(board, 'find', 'ann'), 'find', {
      by: 'ann',
      response: 'It was 3f2a.',
      evidence: found,
    })
    const next = claimed({ ...state, plan: { ...state.plan, board: done } }, 'fix')
    const { pack, manifest } = stepPack(next, { ...asked, stepId: 'fix' })
    const text = JSON.stringify(pack!.messages)
    for (const part of ['commit 3f2a removed the module', 'It was 3f2a.', 'Touch one file only'])
      expect(text).toContain(part)
    expect(manifest.artifactUris).toEqual(expect.arrayContaining(['artifact://commit/3f2a', 'step://release/find']))
  })

  it('shows the tools of the step, in the order of their names, and all where the step names none', () => {
    expect(stepPack(claimed(state, 'find'), asked).receipt!.tools).toEqual(['git_log'])
    const done = finishStep(claimStep(board, 'find', 'ann'), 'find', { by: 'ann' })
    const next = claimed({ ...state, plan: { ...state.plan, board: done } }, 'fix')
    expect(stepPack(next, { ...asked, stepId: 'fix' }).receipt!.tools).toEqual(['git_log', 'write_file'])
  })

  it('A-041: every part maps to its source in the host, and the receipt shows it', () => {
    const { receipt, manifest } = stepPack(claimed(state, 'find'), asked)
    expect(receipt!.sources).toEqual({
      'plan/instructions': 'plan',
      'tools/git_log': 'tools',
      'memory/m1': 'knowledge.memory',
      'artifacts/artifact://build.log': 'knowledge.artifacts',
      'events/e1': 'events',
      'events/e2': 'events',
    })
    const sections = Object.fromEntries(manifest.decisions.map(({ itemId, section }) => [itemId, section]))
    expect(sections).toEqual({
      'plan/instructions': 'policy',
      'tools/git_log': 'tools',
      'memory/m1': 'memory',
      'artifacts/artifact://build.log': 'evidence',
      'events/e1': 'history',
      'events/e2': 'history',
    })
    for (const { itemId } of manifest.decisions) expect(receipt!.sources[itemId]).toBeTruthy()
  })

  it('A-047: its receipt carries session, event order, task, step, tools, memory, artifacts and the id of the pack', () => {
    const { receipt, pack } = stepPack(claimed(state, 'find'), asked)
    expect(receipt).toMatchObject({
      sessionId: 's1',
      eventIds: ['e1', 'e2'],
      taskId: 'release',
      stepId: 'find',
      tools: ['git_log'],
      memory: [{ id: 'm1', learntAt: '2026-11-20T10:00:00Z' }],
      artifactUris: ['artifact://build.log'],
      packId: pack!.hash,
      createdAt: '2026-11-22T12:00:00Z',
    })
  })

  it('leaves the state of the host as it is, and gives the same again', () => {
    const own = frozen(claimed(state, 'find'))
    expect(stepPack(own, asked)).toEqual(stepPack(own, asked))
  })

  it('has no receipt where it does not fit, and the outcome says so', () => {
    const long = { ...state, plan: { ...state.plan, instructions: 'Work in small steps. '.repeat(5000) } }
    const { outcome, receipt } = stepPack(claimed(long, 'find'), asked)
    expect([outcome.kind, receipt]).toEqual(['budget-exhausted', undefined])
  })
})

/** A host that lets nobody touch but what the layer may read, and notes what it has read. */
function watched(own: HostState, read: Set<string>): HostState {
  return new Proxy(frozen(own), {
    get(target, name) {
      read.add(String(name))
      return Reflect.get(target, name) as unknown
    },
  })
}

describe('A-040: what the host owns, and what the layer owns', () => {
  const day = (number: number): string => `2026-11-${String(number).padStart(2, '0')}T10:00:00Z`
  const busy: HostState = {
    ...claimed(state, 'find'),
    tools: ['zip', 'git_log', 'ask'].map((name) => ({ name, description: `${name} it.`, schema: { type: 'object' } })),
    knowledge: {
      memory: Array.from({ length: 28 }, (_, index) => ({
        id: `m${index}`,
        text: `Lesson ${index}: ${'what was learnt that day. '.repeat(30)}`,
        learntAt: day(index + 1),
      })),
      artifacts: state.knowledge.artifacts,
    },
    events: Array.from({ length: 120 }, (_, index) => ({
      id: `e${index}`,
      role: index % 2 === 0 ? 'user' : 'assistant',
      text: `Turn ${index}: ${'so it went on and on. '.repeat(12)}`,
    })),
  }
  const read = new Set<string>()
  const { pack, manifest, receipt, outcome } = stepPack(watched(busy, read), {
    ...asked,
    budget: { windowTokens: 4000 },
  })
  const rungs = new Map(manifest.decisions.map(({ itemId, rung }) => [itemId, rung]))
  const shown = (beginning: string): readonly string[] =>
    [...rungs].flatMap(([id, rung]) => (id.startsWith(beginning) && rung !== 'omitted' ? [id] : []))

  it("the host's events, memory, tools and request are read, and nothing of it is called or written", () => {
    expect([...read].toSorted()).toEqual(['events', 'knowledge', 'plan', 'tools'])
    expect(JSON.stringify(pack!.messages)).toContain(asked.request)
  })

  it('the layer fits them into the budget: the tail of what was said, some of what is known, with its day', () => {
    expect(outcome.kind).toBe('ok')
    expect(pack!.tokens).toBeLessThanOrEqual(4000)
    const turns = shown('events/').map((id) => Number(id.slice('events/e'.length)))
    expect(turns).toContain(119)
    expect(turns).not.toContain(0)
    expect(turns.length).toBeLessThan(120)
    const known = shown('memory/')
    expect(known.length).toBeGreaterThan(0)
    expect(known.length).toBeLessThan(28)
    const { learntAt } = busy.knowledge.memory.find(({ id }) => known.includes(`memory/${id}`))!
    expect(JSON.stringify(pack!.messages)).toContain(learntAt.slice(0, 10))
  })

  it('the tools are those of the step only, in an order that stays', () => {
    expect(shown('tools/')).toEqual(['tools/git_log'])
    const turned = { ...busy, tools: busy.tools.toReversed() }
    expect(stepPack(turned, { ...asked, budget: { windowTokens: 4000 } }).pack!.hash).toBe(pack!.hash)
  })

  it('A-004, A-055: a tool of the step comes with purpose, schemas, constraints and example calls, and no other tool comes', () => {
    const gitLog = {
      name: 'git_log',
      description: 'Lists commits, newest first. Returns: {"commits":[{"sha":"string","title":"string"}]}',
      schema: {
        type: 'object',
        properties: { path: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 50 } },
        required: ['path'],
        additionalProperties: false,
        examples: [{ path: 'src', count: 5 }],
      },
    }
    const own: HostState = { ...state, tools: [gitLog, ...state.tools.filter(({ name }) => name !== gitLog.name)] }
    const packed = stepPack(claimed(own, 'find'), asked)
    const shownTools = packed.pack!.entries.flatMap(({ section, text }) => (section === 'tools' ? [text] : []))
    expect(shownTools.map((text) => toolIn(text))).toEqual([gitLog])
    for (const { name } of own.tools.slice(1)) expect(JSON.stringify(packed.pack)).not.toContain(name)
  })

  it('its receipt tells of everything what became of it, and an overflow is an outcome', () => {
    expect(rungs.size).toBe(1 + 1 + 28 + 1 + 120)
    expect(manifest.truncations.length).toBeGreaterThan(0)
    expect(receipt!.truncationEvents.length).toBe(manifest.truncations.length)
    const tight = stepPack(busy, { ...asked, budget: { windowTokens: 60 } })
    expect([tight.pack, tight.receipt, tight.outcome.kind]).toEqual([undefined, undefined, 'budget-exhausted'])
  })
})

it('A-036: the layers map to the state of a host and back, as the JSON that its own hooks load and save', () => {
  const text = fc.string({ minLength: 1 })
  const named = fc.uniqueArray(fc.string({ minLength: 1, unit: 'grapheme-ascii' }), { maxLength: 4 })
  const states = fc
    .record({ instructions: text, tools: named, memory: named, artifacts: named, events: named })
    .map(({ instructions, tools, memory, artifacts, events }): HostState => ({
      plan: { instructions, board },
      tools: tools
        .toSorted((one, other) => (one < other ? -1 : 1))
        .map((name) => ({ name, description: `${name}.`, schema: { type: 'object', title: name } })),
      knowledge: {
        memory: memory.map((id) => ({ id, text: `It is ${id}.`, learntAt: '2026-11-20T10:00:00Z' })),
        artifacts: artifacts.map((uri, index) => ({ uri, text: uri, ...(index > 0 && { title: 'one' }) })),
      },
      events: events.map((id, index) => ({ id, role: index % 2 === 0 ? 'user' : 'assistant', text: id })),
    }))
  fc.assert(
    fc.property(states, (own) => {
      expect(hostStateOf(hostItems(own), board)).toEqual(own)
      const loaded = JSON.parse(JSON.stringify(own)) as HostState
      expect(hostItems(loaded)).toEqual(hostItems(own))
    }),
  )
})
