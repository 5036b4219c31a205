import type { Io } from './io.ts'

const LOOK_EVERY_MS = 200

/** npx does not pass on the signal that ends it: when it has gone, we take it that we are to end, too. */
export function endWithNpx(environment: Io['environment']): void {
  if (environment['npm_command'] !== 'exec') return
  const npx = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === npx) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, LOOK_EVERY_MS)
  timer.unref()
}
