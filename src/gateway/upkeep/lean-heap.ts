import { setFlagsFromString } from 'node:v8'

/** By how many per cent what is alive may grow before V8 looks for garbage: while a process idles, and while it is busy. */
const growthPercent = { idle: 40, busy: 100 }

/** From so many cores on a process is busy: more than one thread has work all the time. Below so many it has time again. */
const busyCores = 1.2
const idleCores = 0.8

/** What is looked at to keep a heap lean, and what is told. */
export interface HeapHost {
  setFlags(flags: string): void
  /** What all threads have computed so far, in milliseconds. */
  cpuMs(): number
  nowMs(): number
}

/** Sets how soon V8 collects, and gives what is to be called now and then to set it anew. */
export function heapKeeper({ setFlags, cpuMs, nowMs }: HeapHost): () => void {
  let pace: keyof typeof growthPercent = 'idle'
  let last = { cpuMs: cpuMs(), atMs: nowMs() }
  const grow = (): void => setFlags(`--heap-growing-percent=${growthPercent[pace]}`)
  setFlags('--semi-space-growth-factor=2')
  grow()
  return () => {
    const now = { cpuMs: cpuMs(), atMs: nowMs() }
    const cores = (now.cpuMs - last.cpuMs) / (now.atMs - last.atMs)
    const next = cores >= busyCores ? 'busy' : cores < idleCores ? 'idle' : pace
    last = now
    if (next === pace) return
    pace = next
    grow()
  }
}

const lookMs = 2_000

/**
 * Has a process that serves for weeks collect its garbage sooner: V8 lets a small heap grow to about four times what is
 * alive before it looks. While the process is busy it is collected less often, since each time all that is alive on a thread is looked at.
 */
export function keepHeapLean(): void {
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const look = heapKeeper({ setFlags: setFlagsFromString, cpuMs, nowMs: () => performance.now() })
  setInterval(look, lookMs).unref()
}
