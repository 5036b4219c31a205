import type { MessagePort } from 'node:worker_threads'
import { together } from '../../../host/index.ts'
import type { SqliteCore } from '../sqlite-core.ts'
import { commitsIn } from './commit-cells.ts'
import type { CommitCells } from './commit-cells.ts'
import type { CoreAnswer, CoreCall } from './messages.ts'

/** Answers the calls that come through a port, until its other side closes it. */
export function servePort(core: SqliteCore, port: MessagePort): void {
  const methods = { ...core, write: (cells: CommitCells) => core.write(commitsIn(cells)) }
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
