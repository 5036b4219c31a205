import type { JsonObject } from '../../core/index.ts'
import { inside, traceError } from '../trace-error.ts'
import { millisecondsOf, objectIn, objectsIn, textIn, unquoted } from './json-access.ts'
import { loggedBody } from './logged-body.ts'
import { perValue } from './per-value.ts'

/** Runs as the API lists them and the page exports them; children stand in `child_runs` or as runs of their own. */
export const langsmith = perValue({
  name: 'LangSmith runs',
  recognise: (value) => typeof value['run_type'] === 'string',
  read: (value, place) => {
    const runs = modelRuns(value)
    return runs.map((run) => {
      const extra = objectIn(unquoted(run['extra']))
      const metadata = { ...objectIn(unquoted(run['metadata'])), ...objectIn(unquoted(extra['metadata'])) }
      const asked = objectIn(extra, 'invocation_params')
      const body = loggedBody(run['inputs'], {
        model: textIn(asked, 'model', 'model_name') ?? textIn(metadata, 'ls_model_name', 'model_name'),
        tools: asked['tools'] ?? asked['functions'],
      })
      if (body === undefined) {
        const remedy = 'Export with inputs, from a project that does not hide them'
        throw traceError(inside(place, 'inputs'), 'hold no messages, so the request is not known', remedy)
      }
      const session = textIn(metadata, 'thread_id', 'session_id', 'conversation_id')
      return { kind: 'request', body, place, session, atMs: millisecondsOf(run['start_time'] ?? run['startTime']) }
    })
  },
})

/** Runs of models, whatever runs of chains and tools stand around them. */
function modelRuns(run: JsonObject): readonly JsonObject[] {
  const own = run['run_type'] === 'llm' || run['run_type'] === 'chat_model' ? [run] : []
  return [...own, ...objectsIn(run, 'child_runs').flatMap(modelRuns)]
}
