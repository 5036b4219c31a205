import { parseObject } from '../../core/index.ts'
import type { SimulationClock } from './clock.ts'
import type { SimulatedRequest } from './record.ts'
import type { ProviderRequest } from './wire.ts'

export interface Recorder {
  readonly requests: readonly SimulatedRequest[]
  begin(request: ProviderRequest): SimulatedRequest
}

/** Bodies kept in all; a long session sends its whole history again with each request. */
const maxBodyChars = 8_000_000

/** Keeps the newest requests, the very newest always. */
export function recorder(clock: SimulationClock, capacity: number): Recorder {
  const requests: SimulatedRequest[] = []
  let begun = 0
  let chars = 0
  return {
    requests,
    begin({ method, path, headers, body }) {
      const json = parseObject(body)
      const record: SimulatedRequest = {
        id: `req_sim${String(++begun).padStart(8, '0')}`,
        method,
        path,
        headers,
        body,
        ...(json === undefined ? {} : { json }),
        startMs: clock.now(),
        state: 'open',
      }
      requests.push(record)
      chars += body.length
      while (requests.length > 1 && (requests.length > capacity || chars > maxBodyChars)) {
        chars -= requests.shift()?.body.length ?? 0
      }
      return record
    },
  }
}
