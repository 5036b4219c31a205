import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item, Ledger, Policy } from '../../core/index.ts'
import { ladderFor, resolveReferences } from '../../ladders/index.ts'
import { careful, thrifty } from '../policy/policies.ts'
import { conversationPlanner } from './index.ts'
import type { ConversationPlan } from './index.ts'
import type { ConversationInput, Room } from './plan-context.ts'
import { uncompacted } from './uncompacted.fixture.ts'

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const count = (text: string): number => Math.ceil(text.length / 4)
const itemTokens = (_: Item, text: string): number => count(text)
const open = conversationPlanner({ ladders: ladderFor, itemTokens, hash })
const prices = { read: 0.1, write: 1, minTokens: 0, ttlMs: 300_000 }

type Request = Partial<Omit<ConversationInput, 'items'> & Room>

function ask(items: readonly Item[], request: Request = {}): ConversationPlan {
  const { limitTokens = 1_000_000, ...input } = request
  return open({
    items,
    tokens: items.map((item) => count(item.text)),
    overheadTokens: 0,
    policy: careful,
    prices,
    handleKey: 'key',
    rehydration: true,
    ...input,
  }).plan({ limitTokens })
}

/** A session as an agent has it: the task, then calls and what they returned. */
function session(results: readonly string[], call = (step: number) => `{"command":"run ${step}"}`): readonly Item[] {
  const items: Item[] = [
    { id: 'task', section: 'query', kind: 'text', role: 'user', text: 'Find out why the build fails.' },
  ]
  results.forEach((text, step) => {
    const toolCallId = `call-${step}`
    items.push({
      id: `c${step}`,
      section: 'history',
      kind: 'tool-call',
      role: 'assistant',
      text: call(step),
      toolName: 'bash',
      toolCallId,
    })
    items.push({
      id: `r${step}`,
      section: 'history',
      kind: 'tool-result',
      role: 'tool',
      text,
      toolName: 'bash',
      toolCallId,
    })
  })
  return items
}

/** The requests of a session: one after each result. */
function requests(items: readonly Item[]): readonly (readonly Item[])[] {
  const ends = items.flatMap((item, index) => (item.kind === 'tool-result' ? [index + 1] : []))
  return [1, ...ends].map((end) => items.slice(0, end))
}

function run(items: readonly Item[], request: Request = {}): readonly ConversationPlan[] {
  const plans: ConversationPlan[] = []
  for (const part of requests(items)) plans.push(ask(part, { ...request, ledger: plans.at(-1)?.ledger }))
  return plans
}

const listing = (seed: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `plain words of listing number ${seed * 1000 + line} and so on`).join('\n')

/** With loans that pay for a whole epoch. */
const lending: Policy = { ...careful, epochs: { ...careful.epochs, loanShare: 0.1 } }

const longSession = session(Array.from({ length: 70 }, (_, step) => listing(step, 25)))

describe('the account against pass-through', () => {
  const framing = { overheadTokens: 3000 }
  const accounts = (request: Request): readonly { readonly passThrough: number; readonly actual: number }[] =>
    run(longSession.slice(0, 21), request).map(({ ledger }) => ledger.account)

  it('has the framing on both sides: where nothing is shortened they are even', () => {
    for (const { passThrough, actual } of accounts(framing)) expect(passThrough).toBeCloseTo(actual, 6)
  })

  it('has what is ours of it on our side only', () => {
    const [first, second] = accounts({ ...framing, ownTokens: 90 })
    expect(first!.actual - first!.passThrough).toBeCloseTo(90, 6)
    expect(second!.actual - second!.passThrough).toBeCloseTo(90 + 9, 6)
  })

  it('lets a session be shortened as early as without framing', () => {
    const begun = (request: Request): number =>
      run(longSession, { ...request, policy: lending }).findIndex(({ epoch }) => epoch.decision === 'begin')
    expect(begun({})).toBeGreaterThan(0)
    expect(Math.abs(begun(framing) - begun({}))).toBeLessThanOrEqual(2)
  })
})

describe('epochs', () => {
  it('X-02, N-03: within an epoch every request begins with the bytes of the one before', () => {
    const plans = run(longSession)
    expect(plans.some(({ epoch }) => epoch.decision === 'begin')).toBe(true)
    for (const [index, { renditions, epoch }] of plans.entries()) {
      const before = plans[index - 1]
      if (before === undefined || epoch.decision === 'begin') continue
      expect(renditions.slice(0, before.renditions.length).map(({ text }) => text)).toEqual(
        before.renditions.map(({ text }) => text),
      )
      expect(epoch.epoch).toBe(before.epoch.epoch)
    }
  })

  it('never pays more than pass-through once the epoch it borrowed for has paid', () => {
    for (const policy of [careful, thrifty]) {
      for (const { ledger } of run(longSession, { policy })) {
        const { actual, passThrough } = ledger.account
        const { loanAfter, loanShare, debtShare = ledger.turns > loanAfter ? loanShare : 0, compaction } = policy.epochs
        const mostDebt = Math.max(debtShare, compaction?.loanShare ?? 0)
        expect(actual).toBeLessThanOrEqual(passThrough * (1 + mostDebt) + 1e-6)
      }
      const end = run(longSession, { policy }).at(-1)?.ledger.account
      expect(end?.actual).toBeLessThan(0.9 * (end?.passThrough ?? 0))
    }
  })

  it('asks no ladder for shorter forms as long as the session could not pay for any', () => {
    const asked: number[] = []
    const plan = conversationPlanner({
      hash,
      itemTokens,
      ladders(item, context) {
        if (context.conversation?.visible) asked.push(context.step ?? 0)
        return ladderFor(item, context)
      },
    })
    let ledger: Ledger | undefined
    const causes = requests(longSession).map((items) => {
      const tokens = items.map(({ text }) => count(text))
      const before = asked.length
      const input = { items, tokens, overheadTokens: 0, policy: lending, prices, handleKey: 'key', rehydration: true }
      const { epoch, ledger: next } = plan({ ...input, ledger }).plan({ limitTokens: 1_000_000 })
      ledger = next
      return { cause: epoch.cause, asked: asked.length - before }
    })
    const looks = causes.filter((each) => each.asked > 0).map(({ cause }) => cause)
    expect(looks).toEqual(['gain', 'gain', 'gain'])
  })

  it('X-02: rewrites freely once the cache is cold', () => {
    const items = session(Array.from({ length: 8 }, (_, step) => listing(step, 60)))
    const plans = run(items, { nowMs: 0 })
    const ledger = plans.at(-1)?.ledger
    const next = [
      ...items,
      ...session([listing(99, 60)])
        .slice(1)
        .map((item) => ({ ...item, id: `${item.id}-next` })),
    ]
    expect(ask(next, { ledger, nowMs: 1000 }).epoch.decision).toBe('hold')
    expect(ask(next, { ledger, nowMs: 3_600_000 }).epoch).toMatchObject({ decision: 'begin', cause: 'cold-cache' })
  })

  it('begins anew where the client changed what it had sent', () => {
    const plans = run(longSession)
    const changed = longSession.map((item, index) => (index === 0 ? { ...item, text: 'Something else.' } : item))
    expect(ask(changed, { ledger: plans.at(-1)?.ledger }).epoch).toMatchObject({
      decision: 'begin',
      cause: 'history-changed',
    })
  })

  it('holds while nothing can be gained', () => {
    expect(run(session(['ok', 'ok', 'ok'])).map(({ epoch }) => epoch.decision)).toEqual([
      'hold',
      'hold',
      'hold',
      'hold',
    ])
  })
})

describe('what is shown', () => {
  it('C-013: leaves the newest results, and those no turn has read, as they are', () => {
    for (const { renditions } of run(longSession, { policy: thrifty }).slice(1)) {
      expect(renditions.at(-1)?.rung).toBe('full')
      expect(renditions.at(-3)?.rung ?? 'full').toBe('full')
    }
  })

  it('V-027: failures stay, and their error line stays longest', () => {
    const results = Array.from({ length: 70 }, (_, step) =>
      step === 5 ? `${listing(step, 40)}\nValueError: bad day\n${listing(77, 40)}` : listing(step, 40),
    )
    const last = run(session(results), { policy: thrifty }).at(-1)
    const shown = last?.renditions[12]
    expect(shown?.rung).not.toBe('full')
    expect(shown?.text).toContain('ValueError: bad day')
  })

  it('P-046: whatever is shortened carries the handle that brings it back, and never grows', () => {
    for (const { renditions } of run(longSession, { policy: thrifty })) {
      renditions.forEach((shown, index) => {
        const item = longSession[index]
        if (item === undefined || shown.rung === 'full') return
        expect(shown.tokens).toBeLessThan(count(item.text))
        expect(shown.handle).toMatch(/^\d{12}$/)
        if (shown.rung !== 'lossless') expect(shown.text).toContain(shown.handle)
      })
    }
  })

  it('handles differ between tenants', () => {
    const handles = (handleKey: string) =>
      new Set(
        run(longSession, { policy: thrifty, handleKey })
          .at(-1)
          ?.renditions.flatMap(({ handle }) => handle ?? []),
      )
    expect(handles('a').intersection(handles('b')).size).toBe(0)
  })

  it('hides nothing where handles cannot be followed', () => {
    const plans = run(longSession, { policy: thrifty, rehydration: false })
    expect(
      new Set(plans.flatMap(({ renditions }) => renditions.map(({ rung }) => rung))).difference(
        new Set(['full', 'lossless']),
      ).size,
    ).toBe(0)
  })

  it('shows again what was hidden where handles can be followed no more, and says that an epoch begins', () => {
    const plans = run(longSession, { policy: thrifty })
    const { ledger, renditions } = plans.at(-1)!
    expect(renditions.some(({ rung }) => rung === 'line')).toBe(true)
    const again = ask(longSession, { policy: thrifty, ledger, rehydration: false })
    expect(again.renditions.filter(({ rung }) => rung !== 'full' && rung !== 'lossless')).toEqual([])
    expect(again.epoch).toMatchObject({ decision: 'begin', cause: 'policy-changed', epoch: ledger.epoch + 1 })
    const after = ask(longSession, { policy: thrifty, ledger: again.ledger, rehydration: false })
    expect(after.epoch.decision).toBe('hold')
    expect(after.renditions.map(({ text }) => text)).toEqual(again.renditions.map(({ text }) => text))
  })

  it('what a tool of ours brings back arrives whole, whatever of it is shown elsewhere', () => {
    const lines = Array.from({ length: 20 }, (_, line) => `a line of its own, number ${line}`).join('\n')
    const others = Array.from({ length: 6 }, (_, line) => `a line that is new, number ${line}`).join('\n')
    const [task, ...rest] = session([lines, `${lines}\n${others}`])
    const items = [task!, ...rest.map((item, index) => (index < 2 ? item : { ...item, toolName: 'rehydrate' }))]
    expect(ask(items, { hiddenTools: [] }).renditions.at(-1)?.rung).toBe('lossless')
    expect(ask(items, { hiddenTools: ['rehydrate'] }).renditions.at(-1)?.rung).toBe('full')
  })

  it('leaves pinned and frozen items alone', () => {
    const items = longSession.map((item, index) =>
      index === 2 ? { ...item, pin: true } : index === 4 ? { ...item, frozen: true } : item,
    )
    const last = run(items, { policy: thrifty }).at(-1)
    expect([last?.renditions[2]?.rung, last?.renditions[4]?.rung, last?.renditions[6]?.rung]).toEqual([
      'full',
      'full',
      'line',
    ])
    expect([last?.reasons[2], last?.reasons[4]]).toEqual(['pinned', 'frozen'])
  })

  it('keeps the JSON of a shortened call valid and its other members as they were', () => {
    const script = Array.from({ length: 120 }, (_, line) => `do something with the number ${line}`).join('\n')
    const call = (step: number): string =>
      step === 3 ? `{ "path": "a/b.py",  "precise": 1.0, "text": ${JSON.stringify(script)} }` : `{"n":${step}}`
    const last = run(
      session(
        Array.from({ length: 70 }, (_, step) => listing(step, 30)),
        call,
      ),
      { policy: { ...careful, epochs: { ...careful.epochs, ownCalls: 'any' } } },
    ).at(-1)
    const shown = last?.renditions[7]
    expect(shown?.rung).toBe('trimmed')
    expect(shown?.text.startsWith('{ "path": "a/b.py",  "precise": 1.0, "text": "')).toBe(true)
    expect(Object.keys(JSON.parse(shown?.text ?? ''))).toEqual(['path', 'precise', 'text'])
  })
})

describe('pressure', () => {
  it('shortens until the window has room, newest last', () => {
    const plans = run(longSession, { limitTokens: 5_000, policy: uncompacted(careful) })
    for (const { fits, renditions } of plans) {
      expect(fits).toBe(true)
      expect(renditions.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(5_000)
    }
    expect(plans.some(({ epoch, reasons }) => epoch.cause === 'pressure' && reasons.includes('pressure'))).toBe(true)
  })

  it('says so when nothing more can be done', () => {
    expect(
      ask([{ id: 'q', section: 'query', kind: 'text', role: 'user', text: 'x'.repeat(10_000) }], { limitTokens: 100 })
        .fits,
    ).toBe(false)
  })
})

const line = fc.constantFrom(
  'alpha_beta = gamma.delta(1)',
  'return value',
  'src/app/main.ts',
  'def compute_total(self):',
  '',
  'Error: no',
  'plain words here',
)
const result = fc.array(line, { maxLength: 60 }).map((lines) => lines.join('\n'))
const generated = fc.array(result, { maxLength: 24 }).map((results) => session(results))
const policies = fc.constantFrom<Policy>(careful, thrifty)

describe('properties', () => {
  it('N-29: a planner that remembers nothing decides the same, from a stored ledger', () => {
    fc.assert(
      fc.property(generated, policies, (items, policy) => {
        let ledger: Ledger | undefined
        for (const part of requests(items)) {
          const warm = ask(part, { policy, ledger })
          const cold = conversationPlanner({ ladders: ladderFor, itemTokens, hash })({
            items: part.map((item) => ({ ...item })),
            tokens: part.map((item) => count(item.text)),
            overheadTokens: 0,
            policy,
            prices,
            handleKey: 'key',
            rehydration: true,
            ledger: ledger && (JSON.parse(JSON.stringify(ledger)) as Ledger),
          }).plan({ limitTokens: 1_000_000 })
          expect(cold).toEqual(warm)
          ledger = warm.ledger
        }
      }),
      { numRuns: 40 },
    )
  })

  it('a reference stands only for lines that the context still shows', () => {
    fc.assert(
      fc.property(generated, policies, (items, policy) => {
        for (const { renditions, ledger } of run(items, { policy })) {
          renditions.forEach((shown, index) => {
            if (shown.references === undefined) return
            const texts = new Map(ledger.entries.slice(0, index).map(({ key }, at) => [key, renditions[at]?.text]))
            const restored = resolveReferences({ text: shown.text, references: shown.references }, (key) =>
              texts.get(key),
            )
            expect(restored).toBe(items[index]?.text)
          })
        }
      }),
      { numRuns: 60 },
    )
  })
})
