import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as documents from './entries/documents.ts'
import * as policyTools from './entries/policies.ts'
import * as library from './index.ts'

/** What a program without types may hand in anywhere. */
const wrong: readonly unknown[] = [
  undefined,
  null,
  Number.NaN,
  -1,
  7,
  '',
  'x',
  true,
  10n,
  Symbol('s'),
  [],
  [null],
  {},
  Object.create(null),
  new Map(),
  () => 1,
]

type Path = readonly (string | number)[]

/** Every place in the arguments, the arguments themselves among them. */
function placesIn(value: unknown, at: Path = []): readonly Path[] {
  const isOpen = Array.isArray(value) || (typeof value === 'object' && value !== null && isPlain(value))
  const inner = isOpen
    ? Object.entries(value as object).flatMap(([name, member]) =>
        placesIn(member, [...at, Array.isArray(value) ? Number(name) : name]),
      )
    : []
  return at.length === 0 ? inner : [at, ...inner]
}

function isPlain(value: object): boolean {
  return (
    Object.getPrototypeOf(value) === Object.prototype && !Object.values(value).some((one) => typeof one === 'function')
  )
}

/** The same arguments with another value in one place. */
function replaced(value: unknown, [name, ...rest]: Path, other: unknown): unknown {
  if (name === undefined) return other
  if (Array.isArray(value)) return value.map((one, at) => (at === name ? replaced(one, rest, other) : one))
  const held = value as Readonly<Record<string, unknown>>
  return { ...held, [name]: replaced(held[name], rest, other) }
}

type Call = (...given: never[]) => unknown

const { careful, evidence, instruction, said, toolUse } = library
const items = [
  instruction('Answer from the evidence.'),
  evidence('It broke on Monday.', { sourceId: 'wiki', span: [1, 2] }, { scores: { relevance: 0.5 }, links: [] }),
  said('user', 'Why?'),
  ...toolUse({ id: 'c1', name: 'read', arguments: { path: 'a' }, result: 'ENOENT', status: 'error' }),
]
const budget = {
  windowTokens: 8_000,
  maxOutputTokens: 500,
  overheadTokens: 10,
  ownTokens: 5,
  offerTokens: 5,
  sections: [{ section: 'evidence', min: 10, max: 1_000, weight: 0.5 }],
}
const frame = {
  role: 'r',
  goal: 'g',
  step: 's',
  state: { objective: 'o', phase: 'plan', subtasks: [{ title: 't', status: 'pending' }], results: ['r'] },
  limits: { tokens: 5, costUsd: 1, latencyMs: 10, risk: 'low' },
  constraints: ['c', { text: 'Never push.', strength: 'hard' }],
  acceptance: ['a'],
  request: 'What changed?',
}
const input = {
  items,
  budget,
  frame,
  policy: careful,
  layout: 'payload',
  markup: 'xml',
  taskClass: 'c',
  situation: { tenant: 't', affect: { pleasure: 0, arousal: 0, dominance: 0 } },
  model: 'gpt-5',
  scope: { taskId: 't', stepId: 's', agent: 'a', tools: ['read'] },
  nowMs: 5,
  signals: { risk: 'low', expectedToolCalls: 2 },
  handleKey: 'k',
  hiddenTools: ['h'],
  boundary: { secret: 's'.repeat(32), session: 's' },
  suspicions: { a: 0.5 },
  similarities: [{ a: 'a', b: 'b', similarity: 0.5 }],
  rehydration: true,
} as const
const compiled = library.compile({ items, budget, frame: { request: 'Why?' } })
const board = library.taskBoard({ taskId: 't', goal: 'g', steps: [{ id: 's', goal: 'g', checklist: ['c'] }] })
const state = {
  plan: { instructions: 'i', board: library.claimStep(board, 's', 'ann') },
  tools: [{ name: 'read', description: 'd', schema: { type: 'object' } }],
  knowledge: {
    memory: [{ id: 'm', text: 't', learntAt: '2026-11-01' }],
    artifacts: [{ uri: 'a', text: 't', title: 'x' }],
  },
  events: [{ id: 'e', role: 'user', text: 't' }],
}
const body = {
  model: 'gpt-5',
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Why?' }] },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'ENOENT' },
  ],
  tools: [{ type: 'function', function: { name: 'read', description: 'Reads.', parameters: { type: 'object' } } }],
}
const answer = async () => ({ text: 'Noon.', found: true })
const hiddenTool = {
  definition: { name: 'time', description: 'd', schema: { type: 'object' } },
  bringsBack: false,
  answer,
}
const reply = { choices: [{ index: 0, message: { role: 'assistant', content: 'Done.' } }] }
const details = { id: 'a', section: 'history', scores: { relevance: 1 }, pin: false, tokens: 5, birthTurn: 1 }
const plan = {
  taskId: 't',
  goal: 'g',
  steps: [{ id: 's', goal: 'g', checklist: ['c'], constraints: ['x'], needs: [], tools: ['r'] }],
}

/** Functions of the library with arguments that are right. */
const calls: Readonly<Record<string, readonly [Call, readonly unknown[]]>> = {
  compile: [
    library.compile,
    [input, { catalogue: library.modelCatalogue(), tracing: { begin: () => ({ end: () => undefined }) } }],
  ],
  compileMessages: [library.compile, [{ items, budget, layout: 'messages', policy: 'thrifty', prices: undefined }]],
  compileAgain: [library.compileAgain, [{ items, budget, frame }, { tokenizerId: 'o200k_base/openai/none' }]],
  createCompiler: [
    library.createCompiler,
    [
      {
        model: 'gpt-5',
        messageTokens: 4,
        tokenizer: library.tokenizerFor('gpt-5'),
        hash: library.sha256,
        ladders: library.ladderFor,
        scorer: () => 1,
        catalogue: library.modelCatalogue(),
      },
    ],
  ],
  compilerCompile: [(given: never) => library.createCompiler().compile(given), [input]],
  openSession: [
    library.openSession,
    [
      {
        policy: 'careful',
        situation: { tenant: 't' },
        store: library.memoryStore(),
        id: 'i',
        tenant: 't',
        hiddenTools: [hiddenTool],
        rehydrate: true,
        steadyInstructions: true,
        record: 'content',
        onFailure: answer,
        onEvent: answer,
        summaries: () => [],
        clock: () => 1,
      },
    ],
  ],
  pack: [
    (given: never, own: never) => library.openSession().pack(given, own),
    [
      body,
      {
        id: 'i',
        rehydrate: true,
        situation: { tenant: 't' },
        step: { taskId: 't', stepId: 's', limits: { tokens: 5 } },
      },
    ],
  ],
  send: [(given: never, ask: never) => library.openSession().send(given, ask), [body, async () => reply]],
  changePolicy: [
    (changes: never, trigger: never) => library.openSession().changePolicy(changes, trigger),
    [{ overflow: 'paginate' }, 'why'],
  ],
  said: [library.said, ['user', 'Hi.', details]],
  instruction: [library.instruction, ['Be brief.', details]],
  evidence: [
    library.evidence,
    ['It broke.', { sourceId: 'wiki', uri: 'u', span: [1, 2], authorityScore: 0.5 }, details],
  ],
  evidenceByName: [library.evidence, ['It broke.', 'wiki']],
  memory: [library.memory, ['It broke.', details]],
  tool: [library.tool, [{ name: 'read', description: 'Reads.', schema: { type: 'object' } }, details]],
  toolUse: [library.toolUse, [{ id: 'c', name: 'read', arguments: { path: 'a' }, result: 'x', status: 'ok' }, details]],
  toRequest: [
    library.toRequest,
    [
      compiled.pack,
      {
        items,
        model: 'gpt-5',
        maxOutputTokens: 5,
        sampling: {},
        stream: false,
        dialect: 'openai-chat',
        mediaUrl: () => undefined,
      },
    ],
  ],
  withRelevance: [library.withRelevance, [items, 'Why?']],
  taskBoard: [library.taskBoard, [plan]],
  claimable: [library.claimable, [board]],
  claimStep: [library.claimStep, [board, 's', 'ann']],
  releaseStep: [library.releaseStep, [state.plan.board, 's', 'ann']],
  finishStep: [
    library.finishStep,
    [state.plan.board, 's', { by: 'ann', response: 'r', evidence: [{ uri: 'u', text: 't' }] }],
  ],
  missedLimits: [library.missedLimits, [{ tokens: 5, costUsd: 1 }, { tokens: 6 }]],
  hostItems: [library.hostItems, [state]],
  hostStateOf: [library.hostStateOf, [library.hostItems(state as never), board]],
  stepPack: [
    library.stepPack,
    [
      state,
      { sessionId: 's', stepId: 's', by: 'ann', request: 'r', budget, policy: 'careful', createdAt: '2026-11-01' },
    ],
  ],
  absoluteBudget: [
    library.absoluteBudget,
    [
      {
        windowTokens: 9_000,
        outputTokens: 10,
        slots: [{ section: 'tools', maxTokens: 5, maxTools: 2, tolerance: [0, 1] }],
      },
    ],
  ],
  fractionBudget: [
    library.fractionBudget,
    [{ windowTokens: 9_000, outputTokens: 10, softTokens: 500, fractions: { evidence: 1 } }],
  ],
  shareBudget: [library.shareBudget, [{ windowTokens: 9_000, shares: { evidence: 0.5, reserve: 0.5 } }]],
  phaseBudget: [
    library.phaseBudget,
    [
      {
        windowTokens: 9_000,
        phase: 'plan',
        phases: { plan: { evidence: 50, reserve: 50 } },
        overrides: { plan: { evidence: 40 } },
      },
    ],
  ],
  floorBudget: [
    library.floorBudget,
    [
      {
        windowTokens: 9_000,
        profile: { evidence: [0.5, 0.6], memory: [0.2, 0.25], conversation: [0.15, 0.3] },
        signals: { risk: 'low' },
      },
    ],
  ],
  tierBudget: [
    library.tierBudget,
    [
      {
        windowTokens: 9_000,
        outputTokens: 10,
        sections: [{ section: 'evidence', tier: 1, min: 0, max: 9, weight: 1, alpha: 1, beta: 1, base: 0, cost: 0 }],
      },
    ],
  ],
  readPolicy: [
    library.readPolicy,
    [{ extends: 'careful', id: 'mine', version: '1.0.0', overflow: 'paginate' }, { at: 'policy' }],
  ],
  composePolicy: [library.composePolicy, [careful, { tenant: 't' }]],
  explainPolicy: [policyTools.explainPolicy, [careful, { situation: { tenant: 't' } }]],
  chooseModel: [policyTools.chooseModel, [careful, { items, risk: 'low', situation: { tenant: 't' } }]],
  detectPhase: [policyTools.detectPhase, [{ items }]],
  strategyOf: [policyTools.strategyOf, [careful, { items }]],
  withSettings: [policyTools.withSettings, [careful, { context_policy: {} }]],
  withTenants: [policyTools.withTenants, [careful, { t: { overflow: 'paginate' } }]],
  tenantChanges: [policyTools.tenantChanges, [{}]],
  revisePolicy: [policyTools.revisePolicy, [careful, { overflow: 'paginate' }, 'why']],
  foldPolicy: [policyTools.foldPolicy, [[], careful]],
  tokenizerFor: [library.tokenizerFor, ['gpt-5']],
  modelCatalogue: [
    library.modelCatalogue,
    [
      {
        models: { mine: { family: 'openai', windowTokens: 9, encoding: 'o200k_base', countFactor: 1 } },
        tokenizer: 'exact',
        canCount: () => true,
      },
    ],
  ],
  memoryStore: [library.memoryStore, [{ maxReceipts: 5, maxBodyChars: 5 }]],
  sqliteStore: [library.sqliteStore, [{ path: ':memory:', durability: 'process', rememberedBytes: 5 }]],
  parseCompileDocument: [
    documents.parseCompileDocument,
    [{ schema: 'prehend.compile/1', items, budget, policy: 'careful' }, { model: 'gpt-5' }],
  ],
  parseCompileText: [documents.parseCompileText, ['{}', { model: 'gpt-5' }]],
  citationsOf: [library.citationsOf, [{ dialect: 'openai-chat', body: reply }]],
  reasoningOf: [library.reasoningOf, [{ dialect: 'openai-chat', body: reply }]],
  inferredCitations: [
    library.inferredCitations,
    [{ entries: [{ id: 'a', text: 'Boats.' }], text: 'Boats.', least: 0.5 }],
  ],
  citableTexts: [library.citableTexts, [{ entries: [{ id: 'a', text: 'Boats.' }], text: 'Boats.' }]],
}

async function errorOf(call: Call, given: readonly unknown[]): Promise<unknown> {
  try {
    await call(...(given as never[]))
    return undefined
  } catch (error) {
    return error
  }
}

/** A wrong path of a store is the name of a file, which is to be nowhere else. */
const folder = mkdtempSync(join(tmpdir(), 'prehend-wrong-types-'))
const before = process.cwd()
beforeAll(() => process.chdir(folder))
afterAll(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true })
})

describe('wrong types get an error that names the field', () => {
  it.each(Object.entries(calls))('%s', async (_, [call, given]) => {
    const others: string[] = []
    let refused = 0
    for (const place of placesIn(given))
      for (const value of wrong) {
        const error = await errorOf(call, replaced(given, place, value) as readonly unknown[])
        if (error === undefined) continue
        if (!library.isPrehendError(error)) others.push(`${place.join('.')} = ${typeof value}: ${String(error)}`)
        else if (error.code === 'invalid-input') {
          refused += 1
          expect((error.data as { readonly field: string }).field).not.toBe('')
        }
      }
    expect(others).toEqual([])
    expect(refused).toBeGreaterThan(0)
  })
})

describe('the message says what to do', () => {
  it.each([
    [
      () => library.compile({ items, budget: { windowTokens: 8_000, maxTokens: 5 } as never }),
      'budget.maxTokens: is not known. Did you mean maxOutputTokens?',
    ],
    [() => library.compile({ items, budget: { maxTokens: 5 } as never }), 'budget.windowTokens: is missing.'],
    [() => library.compile({ items, budget, model: 5 as never }), 'model: is not a name.'],
    [() => library.evidence('x', undefined as never), 'source: is missing. Say where the evidence comes from'],
    [
      () => library.evidence('x', 'wiki', { scores: { relevance: 5 } }),
      'details.scores.relevance: is not a number from 0 to 1, but 5.',
    ],
    [
      () => library.toolUse({ id: 'c', name: 'read', arguments: { n: 5n }, result: 'x' }),
      'use.arguments: cannot be written as JSON.',
    ],
    [
      () => library.compile({ items, budget, policy: 'thrify' as never }),
      'policy: thrify is not a policy. Did you mean thrifty?',
    ],
    [
      () => library.openSession({ store: {} as never }),
      'options.store: is not a store: an object with the methods commit,',
    ],
    [() => library.openSession(null as never), 'options: is not an object.'],
  ])('%s', (act, message) => {
    expect(act).toThrow(message)
  })
})
