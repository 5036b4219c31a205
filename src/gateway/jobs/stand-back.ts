import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** How much this thread lets others go first, in steps of `nice`. */
const niceness = 10

/**
 * Lets the thread that serves go first where there are fewer cores than threads: it has little to do, and everyone waits for
 * it. Linux alone gives single threads a priority; elsewhere, and where it is not allowed, all stay alike.
 */
export function standBack(): void {
  try {
    const own = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    if (own > 0) setPriority(own, niceness)
  } catch {
    // As fast as before.
  }
}
