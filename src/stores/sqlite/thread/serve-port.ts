import type { MessagePort } from 'node:worker_threads'
import type { SqliteCore } from '../sqlite-core.ts'
import type { CoreAnswer, CoreCall } from './messages.ts'

/** Answers the calls that come through a port, until its other side closes it. */
export function servePort(core: SqliteCore, port: MessagePort): void {
  const answer = async ({ id, method, given }: CoreCall): Promise<CoreAnswer> => {
    try {
      return { id, json: JSON.stringify(await Reflect.apply(core[method], core, given)) }
    } catch (error) {
      return { id, reason: error instanceof Error ? error.message : String(error) }
    }
  }
  port.on('message', (call: CoreCall) => void answer(call).then((said) => port.postMessage(said)))
}
