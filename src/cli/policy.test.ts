import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { policies } from '../compiler/index.ts'
import type { ExplainedPolicy } from '../compiler/index.ts'
import { fakeIo } from './fake-io.fixture.ts'
import type { Compared } from './policy-report.ts'
import { runCli } from './run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'prehend-policy-'))
afterAll(() => rmSync(folder, { recursive: true }))

const file = (name: string, value: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
  return path
}

async function run(...argv: readonly string[]) {
  const io = fakeIo({ columns: 100 })
  const code = await runCli([...argv], io)
  return { code, out: io.written.out, err: io.written.err }
}

async function json<Value>(...argv: readonly string[]): Promise<Value> {
  const { code, out, err } = await run(...argv, '--json')
  // Of recorded traffic, standard error says what it was recognised as.
  expect([code, err.replace(/^prehend: .*: recorded sessions, \d+ requests\n/, '')]).toEqual([0, ''])
  return JSON.parse(out) as Value
}

const house = {
  extends: 'careful',
  id: 'house',
  version: '1.2.0',
  revision: 3,
  epochs: { keepFull: 5 },
  overrides: { taskClass: { review: { epochs: { keepFull: 8 } } } },
}

const session = new URL('../../examples/session.jsonl', import.meta.url).pathname

describe('prehend policy', () => {
  it('shows no character that a terminal acts on or that turns the order of a line, whatever a file holds', async () => {
    const evil = 'a\u202Eb\u2066c\u001B[2Jd'
    const shares = [{ section: `own ${evil}`, min: 0, max: 0.1, weight: 0.1 }]
    const { code, out } = await run('policy', 'explain', file('evil.json', { ...house, id: evil, shares }))
    expect(code).toBe(0)
    expect(out).toContain(String.raw`policy a\u202eb\u2066c\x1b[2Jd, version`)
    expect(out).not.toMatch(/[\0-\x08\x0B-\x1F\x7F-\x9F\u202A-\u202E\u2066-\u2069]/)
    const wrong = await run('policy', 'explain', file('wrong.json', { ...house, [evil]: 1 }))
    expect([wrong.code, /[\u202A-\u202E\u2066-\u2069]/.test(wrong.err)]).toEqual([2, false])
  })

  it('X-13: lists the budgets by name, each with what it does', async () => {
    const { out } = await run('policy', 'list')
    for (const id of Object.keys(policies)) expect(out).toContain(id)
    const { policies: list } = await json<{ policies: readonly { id: string; about: string }[] }>('policy', 'list')
    expect(list.map(({ id }) => id)).toEqual(Object.keys(policies))
    for (const { about } of list) expect(about).not.toBe('')
  })

  it('lists the recommended policies first, the default before the others, with when to take each', async () => {
    const { out } = await run('policy', 'list')
    const named = out.split('\n').flatMap((line) => /^(?! )(\S+) +\d/.exec(line)?.[1] ?? [])
    expect(named.slice(0, 3)).toEqual(['balanced', 'careful', 'thrifty'])
    const { policies: list } = await json<{ policies: readonly { id: string; recommended: boolean; when?: string }[] }>(
      'policy',
      'list',
    )
    const recommended = list.filter((one) => one.recommended)
    expect(recommended.map(({ id }) => id).toSorted()).toEqual(['balanced', 'careful', 'thrifty'])
    for (const { when = '' } of recommended) expect(out.replaceAll(/\s+/g, ' ')).toContain(when)
    expect(list.filter(({ when }) => when !== undefined)).toEqual(recommended)
  })

  it('lists, explains and compares within 80 columns', async () => {
    const commands = [['list'], ['explain', 'governor'], ['diff', 'careful', 'thrifty', '--on', session]]
    for (const command of commands) {
      const io = fakeIo({ columns: 80 })
      expect(await runCli(['policy', ...command], io)).toBe(0)
      expect(io.written.out.split('\n').filter((line) => line.length > 80)).toEqual([])
    }
  })

  it('explains where every figure is from: the file, what it extends, a default, an override', async () => {
    const path = file('house.json', house)
    const explained = await json<ExplainedPolicy>('policy', 'explain', path, '--task', 'review')
    const of = Object.fromEntries(explained.values.map((value) => [value.path, value]))
    expect(explained).toMatchObject({ id: 'house', version: '1.2.0', revision: 3, overrides: ['taskClass review'] })
    expect(of['epochs.keepFull']).toEqual({ path: 'epochs.keepFull', value: 8, from: 'taskClass review', base: 5 })
    expect(of['epochs.patience']).toEqual({ path: 'epochs.patience', value: 1.3, from: 'extends careful' })
    expect(of['revision']).toEqual({ path: 'revision', value: 3, from: 'base' })
    expect(of['requires']).toEqual({ path: 'requires', value: 'none', from: 'default' })
    const plain = await json<ExplainedPolicy>('policy', 'explain', path)
    expect(plain.values.find(({ path: at }) => at === 'epochs.keepFull')).toEqual({
      path: 'epochs.keepFull',
      value: 5,
      from: 'base',
    })
  })

  it('names every figure of a policy in force, for people too', async () => {
    const { out } = await run(
      'policy',
      'explain',
      'governor',
      '--lifecycle',
      'Declining',
      '--turn=decide',
      '--affect=-0.5,0.5,0',
    )
    for (const text of [
      'fractions.Contrarian',
      'lifecyclePhase Declining',
      'turnPhase decide',
      'affect',
      'pressure.compress',
    ])
      expect(out).toContain(text)
    const { values } = await json<ExplainedPolicy>('policy', 'explain', 'gateway-128k')
    for (const path of ['sections.history.recentTurns', 'shares.evidence.max', 'epochs.lineWorth', 'rank.thrift'])
      expect(values.map((value) => value.path)).toContain(path)
  })

  it('shows what differs, in a situation too', async () => {
    const path = file('house.json', house)
    const { differences } = await json<Compared>('policy', 'diff', 'careful', path)
    expect(differences).toEqual([
      { path: 'epochs.keepFull', before: 3, after: 5 },
      { path: 'overrides.taskClass.review.epochs.keepFull', after: 8 },
      { path: 'revision', after: 3 },
    ])
    const reviewing = await json<Compared>('policy', 'diff', 'careful', path, '--task', 'review')
    expect(reviewing.differences).toContainEqual({ path: 'epochs.keepFull', before: 3, after: 8 })
    expect((await run('policy', 'diff', 'careful', 'careful')).out).toContain('They say the same.')
  })

  it('shows what each would have made of recorded traffic: cost, recall and sections', async () => {
    const { traffic } = await json<Compared>('policy', 'diff', 'careful', 'thrifty', '--on', session)
    const [careful, thrifty] = traffic!.policies
    expect(traffic!.requests).toBe(46)
    expect(thrifty!.report.costRatio).toBeLessThan(careful!.report.costRatio!)
    expect(thrifty!.report.needleLineRecall).toBeLessThan(careful!.report.needleLineRecall!)
    expect(thrifty!.sections['history']).toBeLessThan(careful!.sections['history']!)
    const replayed = await json<{ strategies: readonly { name: string; cost: number }[] }>(
      'replay',
      session,
      '--strategy',
      'prehend:careful',
    )
    expect(careful!.report.cost).toBe(replayed.strategies[0]!.cost)
    const { out } = await run('policy', 'diff', 'careful', 'thrifty', '--on', session)
    for (const text of ['cost, against sending everything', 'lines of tool output still there', 'tokens of history'])
      expect(out).toContain(text)
  })

  it('a window that is too small shows in what was not packed', async () => {
    const { traffic } = await json<Compared>(
      'policy',
      'diff',
      'quality-first',
      'careful',
      '--on',
      session,
      '--window',
      '4000',
    )
    const [quality, careful] = traffic!.policies
    const unpacked = (of: typeof quality): number =>
      Object.values(of!.report.unpacked).reduce((sum, count) => sum + count, 0)
    expect(unpacked(quality)).toBeGreaterThan(0)
    expect(unpacked(careful)).toBeLessThan(unpacked(quality))
  })

  it.each<[readonly string[], string]>([
    [['explian'], 'Did you mean explain?'],
    [['explain', 'carefull'], 'Did you mean careful?'],
    [['explain', './nowhere.json'], 'cannot be read'],
    [['explain', 'careful', 'thrifty'], 'is one too many'],
    [['diff', 'careful'], 'is missing'],
    [['explain', '--affect=1'], '--affect'],
    [['explain', '--affect=2,0,0'], '--affect'],
    [['explain', '--regime='], 'regime'],
  ])('refuses %j', async (argv, message) => {
    const { code, err } = await run('policy', ...argv)
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  })

  it('tells what is wrong with a file by its place', async () => {
    const wrong = file('wrong.json', { ...house, overrides: { regime: { a: { fractions: { evidnce: 1 } } } } })
    expect((await run('policy', 'explain', wrong)).err).toContain('overrides.regime.a.fractions.evidnce')
    const zero = file('zero.json', '{"extends":"careful","id":"z","version":"1.0.0","reserveShare":-0}')
    expect((await run('policy', 'explain', zero)).err).toContain('reserveShare: is negative zero')
    expect((await run('policy', 'explain', file('list.json', '[]'))).err).toContain('is not a policy')
    expect((await run('policy', 'explain', file('broken.json', '{'))).code).not.toBe(0)
  })
})

describe('--policy with a file', () => {
  it('V-009: compiles by it, and the receipt names its version and revision', async () => {
    const path = file('house.json', house)
    const body = { model: 'gpt-4.1', messages: [{ role: 'user', content: 'Hello.' }] }
    const { manifest } = await json<{ manifest: object }>('compile', file('body.json', body), '--policy', path)
    expect(manifest).toMatchObject({ policyId: 'house', policyVersion: '1.2.0', policyRevision: 3 })
  })

  it('a policy that is not there is named, with the nearest', async () => {
    const { code, err } = await run(
      'compile',
      file('body.json', { model: 'gpt-4.1', messages: [] }),
      '--policy',
      'carefull',
    )
    expect(code).toBe(2)
    expect(err).toContain('Did you mean careful?')
  })
})
