import type { AgentPhase, Item, TaskPhase, TaskState } from '../../core/index.ts'
import { itemShape, shape, taskStateShape } from '../../core/index.ts'

/** What `detectPhase` reads the phase of an agent from. */
export interface PhaseClues {
  /** Of the conversation so far, in order. */
  readonly items: readonly Item[]
  /** What the agent says itself; it goes before what its calls show. */
  readonly state?: TaskState | undefined
}

/** Steps that only look at what was made, after which an agent counts as done with making it. */
const checksUntilReview = 4

const ofTask: Readonly<Record<TaskPhase, AgentPhase>> = {
  plan: 'planning',
  act: 'executing',
  verify: 'reviewing',
  critique: 'reviewing',
  repair: 'executing',
  commit: 'reviewing',
}

/**
 * What an agent is at: `planning` until it first changes something, `executing` while it does, `reviewing` once it has looked at what it
 * made several times without a change. Its own task state says so where there is one. Undefined where there is neither a state nor a call.
 * docs/policies/situations.md has how often that is right.
 */
export function detectPhase(clues: PhaseClues): AgentPhase | undefined {
  shape.check(cluesShape, clues, 'clues')
  return phaseShown(clues)
}

const cluesShape = shape.object<PhaseClues>({
  items: shape.list(itemShape),
  state: shape.optional(taskStateShape),
})

/** The same for clues that were checked before. */
export function phaseShown({ items, state }: PhaseClues): AgentPhase | undefined {
  if (state !== undefined) return ofTask[state.phase]
  let calls = 0
  let checks = 0
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index]
    if (item?.kind !== 'tool-call') continue
    calls += 1
    const effect = effectOf(item)
    if (effect === 'change') return checks >= checksUntilReview ? 'reviewing' : 'executing'
    if (effect === 'check') checks += 1
  }
  return calls === 0 ? undefined : 'planning'
}

/**
 * The turn in which the phase began that `detectPhase` finds in a conversation; undefined where it has had no other, or turns are not
 * known.
 */
export function phaseStart(items: readonly Item[]): number | undefined {
  let phase: AgentPhase = 'planning'
  let start: number | undefined
  let checks = 0
  for (const item of items) {
    if (item.kind !== 'tool-call') continue
    const effect = effectOf(item)
    if (effect === 'change') checks = 0
    else if (effect === 'check') checks += 1
    const changed: boolean = effect === 'change' || phase !== 'planning'
    const now: AgentPhase = !changed ? 'planning' : checks >= checksUntilReview ? 'reviewing' : 'executing'
    if (now !== phase) start = item.birthTurn
    phase = now
  }
  return start
}

type Effect = 'change' | 'check' | 'look'

/** What is read of a call; what stands further back hardly says what it does. */
const mostChars = 4000

function effectOf({ toolName = '', text }: Item): Effect {
  const said = text.slice(0, mostChars)
  const words = wordsOf(toolName)
  if (words.some((word) => changingWords.has(word))) return isScratch(said) ? 'check' : 'change'
  if (changes.some((form) => form.test(said))) return isScratch(said) ? 'check' : 'change'
  if (words.some((word) => checkingWords.has(word)) || checks.some((form) => form.test(said))) return 'check'
  return 'look'
}

/** `strReplaceFile`, `str_replace_file` and `str-replace-file` are the same words. */
function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, 100)
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
}

const changingWords = new Set(
  'edit write create update delete remove insert patch replace apply modify cancel book send submit set add exchange return move rename'.split(
    ' ',
  ),
)

const checkingWords = new Set('test tests check verify lint build validate review diagnostics compare'.split(' '))

/** What a shell does to files, and what editing tools call what they take. */
const changes: readonly RegExp[] = [
  /\bsed\s+(?:-\w+\s+)*-i/,
  /\b(?:cat|tee)\b[^\n|;&]{0,200}<</,
  /\bgit\s+(?:apply|cherry-pick|merge)\b/,
  /\*\*\* Begin Patch/,
  /"(?:old_?str(?:ing)?|old_?text|new_?str(?:ing)?|file_?text|insert_line)"/i,
  /\bwrite_text\(|\bopen\([^)\n]{1,200},\s*\\?["'][wa]/,
  /(?:^|[\n;&"])\s*patch\s+-/,
]

const checks: readonly RegExp[] = [
  /\b(?:pytest|tox|unittest|jest|vitest|mocha|rspec|phpunit|ctest|mypy|ruff|flake8|pylint|eslint|tsc)\b/,
  /\b(?:npm|pnpm|yarn|go|cargo|make|mvn|gradle|dotnet|bundle)\s+(?:run\s+)?(?:test|check|build|lint|vet)\b/,
  /\bgit\s+(?:diff|status|log|show)\b/,
  /\bpython[\d.]*\s+(?:-c\b|-m\b|[^\s-])/,
  /\bnode\s+\S/,
]

/** A file that is written to try something out is no part of the work. */
function isScratch(said: string): boolean {
  return scratchFile.test(said)
}

const scratchFile =
  /(?:>\s*|"(?:file_?)?path"\s*:\s*")(?:\/tmp\/|[^\s"'<>|;&]{0,200}?(?:repro|analy|debug|verif|check_|try_|demo|scratch|tmp|test_)[^\s"'<>|;&/]{0,100}\b)/i
