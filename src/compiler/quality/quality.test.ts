import { describe, expect, it } from 'vitest'
import type {
  CompileInput,
  HygienePolicy,
  Item,
  PrehendError,
  QualityMeasure,
  QualityPolicy,
} from '../../core/index.ts'
import { errorPlaces, isPrehendError, qualityMeasures, qualityTargets } from '../../core/index.ts'
import { compile, evidence, input, itemOf, sha256, wordTokenizer, words } from '../compile-input.fixture.ts'
import { createCompiler } from '../create-compiler.ts'
import { careful } from '../policy/policies.ts'
import type { Form } from '../forms/form.ts'
import { readPolicy } from '../policy/read-policy.ts'
import { repeatMeter } from './repeat-meter.ts'

const gated = (quality: QualityPolicy) => ({ ...careful, quality })
/** Every pack is judged, however small. */
const all: QualityPolicy = { minTokens: 0 }

const call = (id: string, args: string): Item =>
  itemOf('history', `${id}.call`, args, { kind: 'tool-call', role: 'assistant', group: id, toolName: 'read' })
const result = (id: string, text: string): Item =>
  itemOf('history', id, text, { kind: 'tool-result', role: 'tool', group: id, toolName: 'read' })
const asks = itemOf('history', 'ask', 'Why does open_socket fail?', { role: 'user' })

const conversation = (items: readonly Item[], quality: QualityPolicy = all): CompileInput => ({
  items,
  layout: 'messages',
  policy: gated(quality),
  budget: { windowTokens: 50_000 },
})

const recordOf = (given: CompileInput) => compile(given).manifest.quality
const valueOf = (given: CompileInput, measure: QualityMeasure) => recordOf(given)?.measures[measure]
const breachesOf = (given: CompileInput) => recordOf(given)?.breaches?.map(({ measure }) => measure) ?? []

function errorOf(run: () => unknown): PrehendError<'quality-gate'> {
  try {
    run()
  } catch (error) {
    if (isPrehendError(error) && error.code === 'quality-gate') return error as PrehendError<'quality-gate'>
    throw error
  }
  throw new Error('nothing was thrown')
}

const full = { sourceId: 's', retrievedAt: '2026-01-02T03:04:05Z', authorityScore: 1, relevanceScore: 1, lineage: 'q' }
const known = evidence('known', 'The build broke.', { provenance: { ...full, span: [0, 16] } })

describe('P-085: measures of a pack', () => {
  it('are all computed where a policy asks for them, by either switch, and nowhere else', () => {
    const items = [known, itemOf('history', 'h', words(20), { role: 'assistant' })]
    for (const policy of [gated({}), { ...careful, measureQuality: true }]) {
      const { measures } = recordOf(input({ items, policy })) ?? { measures: {} }
      expect(Object.keys(measures)).toEqual([...qualityMeasures])
      for (const value of Object.values(measures)) expect(value >= 0 && value <= 1).toBe(true)
    }
    expect('quality' in compile(input({ items })).manifest).toBe(false)
  })

  it('change no byte of what is sent', () => {
    const items = [known, itemOf('history', 'h', words(20), { role: 'assistant' })]
    const plain = compile(input({ items }))
    expect(compile(input({ items, policy: gated(all) })).pack).toEqual(plain.pack)
  })

  it('say the same whatever was measured before', () => {
    const compiler = createCompiler({ tokenizer: wordTokenizer, hash: sha256 })
    const turns = [1, 2, 3].map((number) => [
      call(`c${number}`, `{"path":"src/file_${number}.ts"}`),
      result(`c${number}`, `const value_${number} = open_socket()\n${words(30, `w${number % 2}x`)}`),
    ])
    const steps = [turns.slice(0, 1), turns.slice(0, 2), turns, turns.slice(1), turns]
    for (const step of steps) {
      const given = conversation([asks, ...step.flat()])
      expect(compiler.compile(given).manifest.quality).toEqual(recordOf(given))
    }
  })

  it('a breach is told as an event and in the receipt, with value and bound', () => {
    const text = words(40)
    const given = input({
      items: [evidence('a', text), evidence('b', `${text}\n`)],
      policy: gated({ ...all, gates: { duplication: {} } }),
    })
    const { events, manifest } = compile(given)
    const breach = { measure: 'duplication', value: expect.any(Number), most: 0.05 }
    expect(manifest.quality?.breaches).toEqual([breach])
    expect(events.filter(({ type }) => type === 'context:quality')).toEqual([{ type: 'context:quality', breach }])
  })

  it('refuses where the policy says so, with an error that names measure, value, bound and remedy', () => {
    const reject = gated({ gates: { provenance: {} }, onBreach: 'reject' })
    const error = errorOf(() => compile(input({ items: [evidence('bare', 'It broke.')], policy: reject })))
    expect(error.data.breaches).toEqual([{ measure: 'provenance', value: 1 / 6, least: 1 }])
    expect(error.message).toMatch(/^provenance is 0.167, at least 1.000. .*policy.quality.gates.provenance/)
    expect(error.data.traceId).toMatch(/^[0-9a-f]{64}$/)
    expect(errorPlaces[error.code]).toEqual({ httpStatus: 422, exitCode: 8 })
    expect(compile(input({ items: [known], policy: reject })).outcome.kind).toBe('ok')
  })

  it('refuses tasks that are critical for safety unless the policy says otherwise, and warns of all others', () => {
    const items = [evidence('bare', 'It broke.')]
    const policy = gated({ gates: { provenance: {} } })
    const critical = { items, policy, situation: { taskClass: 'safety-critical' } }
    errorOf(() => compile(input(critical)))
    errorOf(() => compile(input({ items, policy, taskClass: 'safety-critical' })))
    expect(breachesOf(input({ items, policy, situation: { taskClass: 'review' } }))).toEqual(['provenance'])
    const warns = gated({ gates: { provenance: {} }, onBreach: 'warn' })
    expect(breachesOf(input({ ...critical, policy: warns }))).toEqual(['provenance'])
  })

  it('an override can hold a class of tasks to more', () => {
    const overrides = {
      taskClass: { medical: { quality: { gates: { provenance: {} }, onBreach: 'reject' } } },
    } as const
    const items = [evidence('bare', 'It broke.')]
    const given = input({ items, policy: { ...careful, overrides }, situation: { taskClass: 'medical' } })
    errorOf(() => compile(given))
    expect('quality' in compile({ ...given, situation: {} }).manifest).toBe(false)
  })

  it.each([
    [{ gates: { duplication: { most: 5 } } }, 'policy.quality.gates.duplication.most'],
    [{ gates: { duplication: { least: 0.5, most: 0.1 } } }, 'policy.quality.gates.duplication'],
    [{ onBreach: 'stop' }, 'policy.quality.onBreach'],
  ])('what is wrong with a gate is named: %j', (quality, field) => {
    expect(() => compile(input({ policy: gated(quality as QualityPolicy) }))).toThrow(field)
  })

  it('a measure that there is not is named where a policy is read', () => {
    const written = {
      extends: 'careful',
      id: 'own',
      version: '1.0.0',
      quality: { gates: { duplicates: { most: 0.1 } } },
    }
    expect(() => readPolicy(written, { at: 'own.json' })).toThrow('quality.gates.duplicates')
  })
})

describe('B-71: shares of what is sent', () => {
  const rules = itemOf('policy', 'rules', words(4_000), { kind: 'instruction', role: 'system' })
  const filler = (tokens: number) => itemOf('memory', 'm', words(tokens, 'm'))
  const given = (tokens: number, quality: QualityPolicy) =>
    input({ items: [rules, filler(tokens)], budget: { windowTokens: 200_000 }, policy: gated(quality) })

  it('are judged above a minimum only, which is told', () => {
    const short = recordOf(given(3_000, {}))
    expect(short?.measures.constraintDensity).toBeGreaterThan(0.5)
    expect(short?.breaches?.some(({ measure }) => measure === 'constraintDensity')).not.toBe(true)
    expect(short?.notJudged).toMatchObject({ constraintDensity: 'too-small', duplication: 'too-small' })
    expect(breachesOf(given(3_000, { minTokens: 5_000 }))).toContain('constraintDensity')
    expect(breachesOf(given(21_500, { minTokens: 5_000 }))).toContain('constraintDensity')
    expect(breachesOf(given(23_500, { minTokens: 5_000 }))).not.toContain('constraintDensity')
  })

  it('the use of the window is judged where there is too little of it', () => {
    expect(recordOf(given(3_000, {}))?.notJudged?.utilisation).toBe('room-to-spare')
    const items = Array.from({ length: 40 }, (_, at) => evidence(`e${at}`, words(100, `e${at}x`)))
    const tight = recordOf(input({ items, budget: { windowTokens: 2_000 }, policy: gated({}) }))
    expect(tight?.notJudged?.utilisation).toBeUndefined()
    expect(tight?.measures.utilisation).toBeGreaterThan(0.8)
  })
})

describe('P-078, N-21: signal density', () => {
  const log = words(300, 'unrelated')
  const reading = [asks, call('a', '{"path":"src/net.ts"}'), result('a', 'export function close_gate() {}')]
  const noise = [call('b', '{"path":"noise.log"}'), result('b', log)]
  const ends = ['one', 'two', 'three'].flatMap((id) => [call(id, `{"path":"x"}`), result(id, 'done')])

  it('counts what a later call uses, and not what nothing uses', () => {
    const used = call('c', '{"command":"grep close_gate"}')
    const density = valueOf(conversation([...reading, used, result('c', 'ok')]), 'signalDensity') ?? 0
    const diluted =
      valueOf(conversation([...reading, ...noise, used, result('c', 'ok'), ...ends]), 'signalDensity') ?? 1
    expect(density).toBeGreaterThan(0.9)
    expect(diluted).toBeLessThan(0.2)
  })

  it('counts what shares words with the request, and what no answer has followed yet', () => {
    const about = result('b', `open_socket\n${log}`)
    expect(valueOf(conversation([...reading, call('b', '{}'), about, ...ends]), 'signalDensity')).toBeGreaterThan(0.8)
    expect(valueOf(conversation([...reading, ...noise]), 'signalDensity')).toBeGreaterThan(0.9)
  })

  it('counts of tools those that were called or that the request is about', () => {
    const tool = (name: string) =>
      itemOf('tools', name, `{"name":"${name}","description":"${words(60, name)}"}`, {
        kind: 'tool-schema',
        toolName: name,
      })
    const items = [tool('read'), tool('paint'), ...reading]
    const density = valueOf(conversation(items), 'signalDensity') ?? 1
    const tokens = (text: string) => wordTokenizer.count(text)
    const [read = asks, paint = asks] = items
    const rest = reading.reduce((sum, { text }) => sum + tokens(text), 0)
    expect(density).toBeCloseTo(1 - tokens(paint.text) / (tokens(read.text) + tokens(paint.text) + rest), 2)
  })

  it('has 70% as its target', () => {
    const given = conversation([...reading, ...noise, ...ends])
    expect(qualityTargets.signalDensity).toEqual({ least: 0.7 })
    expect(breachesOf(given)).toContain('signalDensity')
  })
})

describe('P-079: provenance', () => {
  it('is the share of what evidence should say of its origin, and has 1 as its target', () => {
    const bare = evidence('bare', 'It broke.')
    expect(valueOf(input({ items: [known], policy: gated(all) }), 'provenance')).toBe(1)
    expect(valueOf(input({ items: [known, bare], policy: gated(all) }), 'provenance')).toBeCloseTo(7 / 12)
    expect(breachesOf(input({ items: [known, bare], policy: gated(all) }))).toContain('provenance')
    expect(breachesOf(input({ items: [known], policy: gated(all) }))).not.toContain('provenance')
    expect(valueOf(input({ policy: gated(all) }), 'provenance')).toBeUndefined()
  })
})

describe('P-080, N-23: constraint density', () => {
  it('counts instructions, and every copy of the constraints of a step', () => {
    const rules = itemOf('policy', 'rules', words(50), { kind: 'instruction', role: 'system' })
    const items = [rules, itemOf('memory', 'm', words(450, 'm'))]
    const policy = gated(all)
    const plain = compile(input({ items, policy }))
    const density = plain.manifest.quality?.measures.constraintDensity ?? 0
    expect(density).toBeCloseTo(50 / (plain.pack?.tokens ?? 1), 2)
    const step = { goal: 'Ship', step: 'Test', acceptance: ['It runs.'], request: 'Go.' }
    const frame = { ...step, constraints: ['Never push to the main branch without a review.'] }
    const more = compile(input({ items, policy: { ...policy, payload: { repeatCritical: 'always' } }, frame })).manifest
    expect(more.constraints?.tokens).toBeGreaterThan(0)
    expect((more.quality?.measures.constraintDensity ?? 0) * more.packTokens).toBeCloseTo(
      50 + (more.constraints?.tokens ?? 0) + 1,
      -1,
    )
    expect(qualityTargets.constraintDensity).toEqual({ most: 0.15 })
  })
})

describe('P-081, N-24: duplication', () => {
  const line = (name: string) => words(12, name)
  const page = (...names: readonly string[]) => names.map(line).join('\n')

  it('is the share of tokens in lines that stand before, white space around them apart', () => {
    const items = [
      asks,
      call('a', '{}'),
      result('a', page('a', 'b')),
      call('b', '{}'),
      result('b', `  ${page('c', 'a')}`),
    ]
    const given = conversation(items)
    const { pack } = compile(given)
    expect(valueOf(given, 'duplication')).toBeCloseTo(12 / (pack?.tokens ?? 1), 1)
    expect(breachesOf(given)).toContain('duplication')
  })

  it('reads many long lines without an end in linear time', () => {
    const text = Array.from({ length: 6_000 }, (_, at) => `${at}${'x'.repeat(300)}`).join('\n')
    const form = { entry: { text }, tokens: 1_000 } as unknown as Form
    const start = performance.now()
    expect(repeatMeter()([form])).toBe(0)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  it('sees sentences of long lines, and neither short lines nor numbers that differ', () => {
    const sentence = `${words(30, 'long')}. `
    const prose = (end: string) =>
      conversation([asks, result('a', `${sentence}One.`), result('b', `${sentence}${end}`)])
    expect(valueOf(prose('Two.'), 'duplication')).toBeGreaterThan(0.4)
    const short = [asks, result('a', '}\n{\nend\n'.repeat(30))]
    expect(valueOf(conversation(short), 'duplication')).toBe(0)
    const near = [asks, result('a', `${line('a')} 41`), result('b', `${line('a')} 42`)]
    expect(valueOf(conversation(near), 'duplication')).toBe(0)
  })
})

describe('P-082, N-25: staleness', () => {
  it('is the sum of (1 - r) times tokens over all tokens, r by turns since a text came or was used', () => {
    const items = [
      evidence('old', words(100), { birthTurn: 0 }),
      evidence('new', words(300), { birthTurn: 2 }),
      itemOf('memory', 'm', words(100), { birthTurn: 0 }),
    ]
    const given = input({ items, policy: gated(all) })
    const tokens = new Map(compile(given).pack?.entries.map((entry) => [entry.itemId, entry.tokens]))
    const [old = 0, fresh = 0, memory = 0] = ['old', 'new', 'm'].map((id) => tokens.get(id))
    const aged = old * (1 - Math.exp(-0.6)) + memory * (1 - Math.exp(-0.1))
    expect(valueOf(given, 'staleness')).toBeCloseTo(aged / (old + fresh + memory), 6)
  })

  it('goes by the rates of the policy where it has things grow old', () => {
    const items = [evidence('old', words(100), { birthTurn: 0 }), evidence('new', words(100), { birthTurn: 2 })]
    const aged = (hygiene: HygienePolicy) =>
      valueOf(input({ items, policy: { ...gated(all), hygiene } }), 'staleness') ?? Number.NaN
    const slow = aged({ decay: { usual: { model: 'exponential', rate: 0.01 } } })
    expect(slow / aged({ decay: { usual: { model: 'exponential', rate: 3 } } })).toBeCloseTo(
      (1 - Math.exp(-0.02)) / (1 - Math.exp(-6)),
      2,
    )
    expect(aged({ staleAfter: 1 })).toBeGreaterThan(aged({ staleAfter: 5 }))
    expect(aged({ staleAfter: 5 })).toBeCloseTo(aged({}))
  })

  it('a result that is used again is as new', () => {
    const first = result('a', `export function close_gate() {}\n${words(200)}`)
    const idle = ['b', 'c', 'd'].flatMap((id) => [call(id, `{"path":"x"}`), result(id, 'done')])
    const stale = valueOf(conversation([asks, call('a', '{}'), first, ...idle]), 'staleness') ?? 0
    const again = [asks, call('a', '{}'), first, ...idle, call('e', '{"text":"close_gate"}'), result('e', 'done')]
    const fresh = valueOf(conversation(again), 'staleness') ?? 1
    expect(stale).toBeGreaterThan(0.5)
    expect(fresh).toBeLessThan(0.1)
    expect(qualityTargets.staleness).toEqual({ most: 0.2 })
  })

  it('takes freshness that somebody knows, and nothing for what has neither', () => {
    const half = evidence('half', words(100), { scores: { freshness: 0.5 } })
    expect(valueOf(input({ items: [half], policy: gated(all) }), 'staleness')).toBeCloseTo(0.5)
    expect(valueOf(input({ items: [evidence('e', words(9))], policy: gated(all) }), 'staleness')).toBeUndefined()
  })
})

describe('P-083: surface', () => {
  it('is measured without a defense, too, as one would', () => {
    const items = [evidence('page', words(200))]
    const defense = { threshold: 0.5, untrusted: 'log', semiTrusted: 'off' } as const
    const measured = recordOf(input({ items, policy: { ...gated(all), defense } }))
    const { manifest } = compile(input({ items, policy: { ...careful, defense } }))
    expect(measured?.measures.surface).toBe(manifest.security?.surface)
    expect(valueOf(input({ items, policy: gated(all) }), 'surface')).toBe(manifest.security?.surface)
  })

  it('a gate of 0.10 lets out what stands between boundaries and refuses what does not', () => {
    const items = [evidence('page', words(2_000))]
    const policy = gated({ gates: { surface: {} }, onBreach: 'reject' })
    expect(errorOf(() => compile(input({ items, policy }))).data.breaches[0]).toMatchObject({
      measure: 'surface',
      most: 0.1,
    })
    const boundary = { secret: 'a secret of the host', session: 's' }
    expect(compile(input({ items, policy, boundary })).manifest.quality?.measures.surface).toBeLessThanOrEqual(0.1)
  })
})

describe('P-084, N-27: fidelity', () => {
  const log = Array.from({ length: 400 }, (_, at) => `2026-01-02 step ${at} of the build took ${at * 7} ms`).join('\n')
  const tight = (quality: QualityPolicy) =>
    input({ items: [evidence('log', log)], budget: { windowTokens: 3_000 }, policy: gated(quality) })

  it('is 1 where nothing is shortened, and what forms say of themselves elsewhere', () => {
    expect(valueOf(input({ items: [evidence('log', 'Fine.')], policy: gated(all) }), 'fidelity')).toBe(1)
    const value = valueOf(tight(all), 'fidelity') ?? 1
    expect(value).toBeGreaterThan(0.1)
    expect(value).toBeLessThan(0.9)
  })

  it('a gate of 0.90 refuses a pack that keeps less', () => {
    const error = errorOf(() => compile(tight({ gates: { fidelity: {} }, onBreach: 'reject' })))
    expect(error.data.breaches[0]).toMatchObject({ measure: 'fidelity', least: 0.9 })
  })

  it('what is left out of a conversation counts as lost, and evidence that was not chosen does not', () => {
    const talk = Array.from({ length: 60 }, (_, at) =>
      itemOf('history', `h${at}`, words(100, `h${at}x`), { role: at % 2 === 0 ? 'user' : 'assistant' }),
    )
    const cut = input({ items: talk, budget: { windowTokens: 3_000 }, policy: gated(all) })
    expect(valueOf(cut, 'fidelity')).toBeLessThan(0.7)
    const pieces = Array.from({ length: 40 }, (_, at) => evidence(`e${at}`, words(100, `e${at}x`)))
    const chosen = input({ items: pieces, budget: { windowTokens: 2_500 }, policy: gated(all) })
    expect(compile(chosen).manifest.decisions.some(({ rung }) => rung === 'omitted')).toBe(true)
    expect(valueOf(chosen, 'fidelity')).toBeGreaterThan(0.9)
  })
})
