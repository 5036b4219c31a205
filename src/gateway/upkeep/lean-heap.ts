import { setFlagsFromString } from 'node:v8'
import { collectGarbage, tellRest } from '../../host/index.ts'

/** By how many per cent what is alive may grow before V8 looks for garbage: while a process idles, and while it is busy. */
const growthPercent = { idle: 40, busy: 100 }

/** From so many cores on a process is busy: more than one thread has work all the time. Below so many it has time again. */
const busyCores = 1.2
const idleCores = 0.8

/** A process rests that had no request under way and has computed on less than so many cores, at every look, for so long. */
const restingCores = 0.05
const restMs = 30_000

/** After less work there is not much to collect; nor does a process that has hardly anything to do collect all the time. */
const leastWorkMs = 1000
const workPerCollecting = 10

/** What is looked at to keep a heap lean, and what is done. */
export interface HeapHost {
  setFlags(flags: string): void
  /** Collects all garbage of all threads. */
  collect(): void
  /** What all threads have computed so far, in milliseconds. */
  cpuMs(): number
  nowMs(): number
  /** How many requests somebody waits for. */
  underway(): number
}

/** How busy the process has been since the look before. */
interface Look {
  readonly cores: number
  readonly atMs: number
  readonly cpuMs: number
}

/** Sets how soon V8 collects, and gives what is to be called now and then to set it anew, and to collect everything when the process rests. */
export function heapKeeper(host: HeapHost): () => void {
  // What compiled a function is given back by the thread that runs it: otherwise dozens of megabytes wait for that at a time, and stay with the allocator.
  host.setFlags('--no-maglev-destroy-on-background')
  host.setFlags('--semi-space-growth-factor=2')
  const pace = growth(host)
  const rest = resting(host)
  const measured = () => ({ atMs: host.nowMs(), cpuMs: host.cpuMs() })
  let last = measured()
  return () => {
    const now = measured()
    const look = { ...now, cores: (now.cpuMs - last.cpuMs) / (now.atMs - last.atMs) }
    last = now
    pace(look)
    rest(look)
  }
}

function growth({ setFlags }: HeapHost): (look: Look) => void {
  let pace: keyof typeof growthPercent = 'idle'
  const grow = (): void => setFlags(`--heap-growing-percent=${growthPercent[pace]}`)
  grow()
  return ({ cores }) => {
    const next = cores >= busyCores ? 'busy' : cores < idleCores ? 'idle' : pace
    if (next === pace) return
    pace = next
    grow()
  }
}

/** V8 collects a heap that rests by itself only where its host tells that it does, and Node does not. */
function resting({ collect, nowMs, underway }: HeapHost): (look: Look) => void {
  let sinceMs = nowMs()
  let dueAtCpuMs = leastWorkMs
  /** What had been computed when the last collection began, until it is known what that took: other threads end theirs later. */
  let collectedFromMs: number | undefined
  return (look) => {
    if (collectedFromMs !== undefined) {
      dueAtCpuMs = look.cpuMs + Math.max(leastWorkMs, workPerCollecting * (look.cpuMs - collectedFromMs))
      collectedFromMs = undefined
    }
    if (look.cores >= restingCores || underway() > 0) sinceMs = look.atMs
    if (look.atMs - sinceMs < restMs || look.cpuMs < dueAtCpuMs) return
    collect()
    collectedFromMs = look.cpuMs
    sinceMs = nowMs()
  }
}

const lookMs = 2_000

/**
 * Has a process that serves for weeks collect its garbage sooner: V8 lets a small heap grow to about four times what is
 * alive before it looks. While the process is busy it is collected less often, since each time all that is alive on a thread is looked at;
 * when it rests after that, everything is collected once. `underway` says how many requests somebody waits for.
 */
export function keepHeapLean(underway: () => number = () => 0): void {
  const cpuMs = (): number => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1000
  }
  const collect = (): void => {
    tellRest()
    collectGarbage()
  }
  const look = heapKeeper({ setFlags: setFlagsFromString, collect, cpuMs, nowMs: () => performance.now(), underway })
  setInterval(look, lookMs).unref()
}
