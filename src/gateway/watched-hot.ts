import { isPrehendError } from '../core/index.ts'
import type { Hot } from '../stores/index.ts'

export interface HotWatching {
  /** Called once when the server stops answering. */
  readonly lost: (reason: string) => void
  /** Called once when it answers again. */
  readonly back: (lostMs: number) => void
  readonly clock: () => number
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

/** Hot state of a server, with what is known of the server from the commands that it was sent. */
export interface WatchedHot {
  readonly hot: Hot
  /** Why commands fail now; undefined while they are answered. */
  trouble(): string | undefined
  /** Ends the probes. */
  close(): void
}

const commands = [
  'get',
  'put',
  'take',
  'lease',
  'release',
  'publish',
  'reserve',
  'settle',
  'announce',
  'ledger',
  'confirm',
  'dropLedger',
] as const satisfies readonly (keyof Hot)[]

/** Between two probes of a server that is lost. It is back when a second has passed without a failure. */
const probeMs = 1000

/** Watches what commands come to, and asks nothing of its own while they are answered. */
export function watchedHot(hot: Hot, { lost, back, clock, wait }: HotWatching): WatchedHot {
  const closing = new AbortController()
  let trouble: { readonly reason: string; readonly sinceMs: number } | undefined
  let failures = 0
  const probing = async (): Promise<void> => {
    while (trouble !== undefined) {
      const before = failures
      await wait(probeMs, closing.signal)
      await hot.get('is it there').catch(failed)
      if (failures > before || trouble === undefined) continue
      back(clock() - trouble.sinceMs)
      trouble = undefined
    }
  }
  const startProbing = (): void => void probing().catch(() => undefined)
  const failed = (error: unknown): void => {
    if (!isPrehendError(error) || error.code !== 'store-failed') return
    failures += 1
    if (trouble !== undefined || closing.signal.aborted) return
    trouble = { reason: error.message, sinceMs: clock() }
    lost(error.message)
    startProbing()
  }
  const watched = commands.map((name) => {
    const asked = (given: readonly unknown[]): Promise<unknown> =>
      (hot[name] as (...given: readonly unknown[]) => Promise<unknown>).apply(hot, [...given])
    return [
      name,
      (...given: readonly unknown[]) =>
        asked(given).catch((error: unknown) => {
          failed(error)
          throw error
        }),
    ]
  })
  return {
    hot: {
      ...(Object.fromEntries(watched) as Pick<Hot, (typeof commands)[number]>),
      ...(hot.isOfProcess !== undefined && { isOfProcess: hot.isOfProcess }),
      subscribe: (channel, hears) => hot.subscribe(channel, hears),
    },
    trouble: () => trouble?.reason,
    close: () => closing.abort(),
  }
}
