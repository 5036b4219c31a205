/** What a start looks at: of `process`. */
export interface Started {
  readonly platform: string
  readonly execPath: string
  readonly execArgv: readonly string[]
  readonly argv: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  /** Present where another process speaks with this one, through a channel that would be lost. */
  readonly channel?: unknown
}

/** What the process is to be in place of what it is. */
export interface LeanStart {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Commands that serve: their processes go on for weeks. */
const serving: ReadonlySet<string | undefined> = new Set(['serve', 'start', 'wrap'])

/**
 * What only the start of a process can say. Room for the new objects of all requests that are under way at a time: with less, these are copied
 * again and again, with more than this a process only grows. glibc gives each thread arenas of its own, and what is freed in them stays there.
 */
const newObjects = '--max-semi-space-size'
const flag = `${newObjects}=32`
const allocator = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '1048576' }

/** Names the variables that were set for the start alone. */
const mark = 'PREHEND_LEAN_START'

/** How a command that serves is started again so that it keeps little memory; undefined where it is to go on as it is. */
export function leanStart({ platform, execPath, execArgv, argv, env, channel }: Started): LeanStart | undefined {
  const isOwn = channel === undefined || channel === null
  if (platform === 'win32' || !isOwn || env[mark] !== undefined || !serving.has(argv[2])) return undefined
  const says = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((text) => text.includes(newObjects))
  const added = Object.entries(allocator).filter(([name]) => env[name] === undefined)
  const kept = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
  return {
    args: [execPath, ...(says ? [] : [flag]), ...execArgv, ...argv.slice(1)],
    env: Object.fromEntries([...kept, ...added, [mark, added.map(([name]) => name).join(' ')]]),
  }
}

/** What a start has added to the environment, and programs that are started from here are not to have. */
export function startVariables(env: Started['env']): readonly string[] {
  const names = env[mark]
  return names === undefined ? [] : [mark, ...names.split(' ').filter((name) => name !== '')]
}

/** Becomes a process that keeps little memory, under the same id, where that is possible. Then it does not return. */
export function startLean(): void {
  const lean = leanStart(process)
  if (lean && 'execve' in process) process.execve(process.execPath, lean.args, lean.env)
  for (const name of startVariables(process.env)) delete process.env[name]
}
