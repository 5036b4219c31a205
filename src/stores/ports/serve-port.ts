import type { MessagePort } from 'node:worker_threads'
import { together } from '../../host/index.ts'
import type { StoreCore } from '../rows/store-core.ts'
import { unitsIn } from '../rows/unit-cells.ts'
import type { UnitCells } from '../rows/unit-cells.ts'
import type { CoreAnswer, CoreCall } from './messages.ts'

/** Answers the calls that come through a port, until its other side closes it. */
export function servePort(core: StoreCore, port: MessagePort): void {
  const methods = { ...core, write: (cells: UnitCells) => core.write(unitsIn(cells)) }
  const answer = async ({ id, method, given }: CoreCall): Promise<CoreAnswer> => {
    try {
      return { id, json: JSON.stringify(await Reflect.apply(methods[method], methods, given)) }
    } catch (error) {
      return { id, reason: error instanceof Error ? error.message : String(error) }
    }
  }
  const say = together((all: readonly CoreAnswer[]) => port.postMessage(all))
  port.on('message', (calls: readonly CoreCall[]) => {
    for (const call of calls) void answer(call).then(say)
  })
}
