import type { JsonValue } from '../../core/index.ts'

/** One server-sent event. */
export function sseEvent(data: JsonValue, event?: string): string {
  return `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`
}
