import { builtinModule } from './builtin-module.ts'

/** Heard by every thread of a process that listens. */
const channelName = 'prehend: rest'

/** Says to the other threads of this process that it has nothing to do. */
export function tellRest(): void {
  const threads = builtinModule('node:worker_threads')
  if (!threads) return
  const channel = new threads.BroadcastChannel(channelName)
  channel.postMessage('rest')
  channel.close()
}

/** Has this thread collect all its garbage whenever another one tells that the process rests. */
export function collectAtRest(): void {
  const threads = builtinModule('node:worker_threads')
  if (!threads) return
  const channel = new threads.BroadcastChannel(channelName)
  channel.addEventListener('message', collectGarbage)
  channel.unref()
}

/** Collects all garbage of this thread, which gives its room for new objects back, too. Where that cannot be, nothing happens. */
export function collectGarbage(): void {
  try {
    collector ??= findCollector()
    collector({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  } catch {
    collector = () => undefined
  }
}

let collector: ((options: object) => void) | undefined

/** V8 gives it to contexts that are made while it is told to. */
function findCollector(): (options: object) => void {
  const v8 = builtinModule('node:v8')
  v8?.setFlagsFromString('--expose-gc')
  const found: unknown = builtinModule('node:vm')?.runInNewContext('globalThis.gc')
  v8?.setFlagsFromString('--no-expose-gc')
  return typeof found === 'function' ? (options) => void found(options) : () => undefined
}
