import { describe, expect, it } from 'vitest'
import type { Item, TaskPhase } from '../../core/index.ts'
import { taskPhases } from '../../core/index.ts'
import { detectPhase } from './detect-phase.ts'

const call = (toolName: string, args: Readonly<Record<string, string>>): Item => ({
  id: `${toolName} ${JSON.stringify(args)}`,
  section: 'history',
  kind: 'tool-call',
  role: 'assistant',
  toolName,
  text: JSON.stringify(args),
})

const bash = (command: string): Item => call('bash', { command })
const look = bash('grep -rn parse src')
const change = bash("sed -i 's/a/b/' src/parse.ts")
const check = bash('npm test')
const edit = call('str_replace_editor', { path: 'src/a.ts', old_str: 'a', new_str: 'b' })

/** Labelled by hand: what an agent that has made these calls is at. */
const states: readonly (readonly [label: string, items: readonly Item[], phase: string | undefined])[] = [
  ['nothing done yet', [], undefined],
  ['looks around', [look, look], 'planning'],
  ['sees the tests fail first', [look, check, check, check, check], 'planning'],
  ['writes a script to see the error', [look, bash('cat > repro_issue.py << EOF\nprint(1)\nEOF'), check], 'planning'],
  ['edits in a shell', [look, change], 'executing'],
  ['edits with a tool', [look, edit, look], 'executing'],
  ['tries what it wrote', [look, change, check], 'executing'],
  ['repairs what the test has shown', [change, check, check, check, check, edit], 'executing'],
  ['applies a patch', [call('shell', { input: '*** Begin Patch\n*** Update File: a' })], 'executing'],
  ['tests again and again', [look, change, check, bash('git diff'), check, bash('npx tsc --noEmit')], 'reviewing'],
  ['reads between tests', [change, check, look, check, look, check, look, check], 'reviewing'],
  ['asks a service', [call('get_user_details', { id: '7' }), call('search_flights', { to: 'OSL' })], 'planning'],
  ['changes a booking', [call('get_user_details', { id: '7' }), call('update_reservation', { id: 'R1' })], 'executing'],
]

describe('what an agent is at', () => {
  it.each(states)('C-003: %s', (_, items, phase) => {
    expect(detectPhase({ items })).toBe(phase)
  })

  it('C-003: its own state says so, whatever its calls show', () => {
    const said = (phase: TaskPhase) => detectPhase({ items: [change], state: { objective: 'x', phase } })
    expect(taskPhases.map(said)).toEqual(['planning', 'executing', 'reviewing', 'reviewing', 'executing', 'reviewing'])
  })

  it('takes no longer for what somebody made to be slow', () => {
    const hostile = ['cat '.repeat(50_000), 'sed '.repeat(50_000), '> '.repeat(50_000), 'python '.repeat(50_000)]
    const started = performance.now()
    for (const command of hostile) detectPhase({ items: Array.from({ length: 50 }, () => bash(command)) })
    expect(performance.now() - started).toBeLessThan(2000)
  })
})
