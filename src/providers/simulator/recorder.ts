import type { SimulationClock } from './clock.ts'
import { parseObject } from './read-json.ts'
import type { RecordedRequest } from './record.ts'
import type { WireRequest } from './wire.ts'

export interface Recorder {
  readonly requests: readonly RecordedRequest[]
  begin(request: WireRequest): RecordedRequest
}

/** Keeps the newest requests. */
export function recorder(clock: SimulationClock, capacity: number): Recorder {
  const requests: RecordedRequest[] = []
  let begun = 0
  return {
    requests,
    begin({ method, path, headers, body }) {
      const json = parseObject(body)
      const record: RecordedRequest = {
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
      if (requests.length > capacity) requests.splice(0, requests.length - capacity)
      return record
    },
  }
}
