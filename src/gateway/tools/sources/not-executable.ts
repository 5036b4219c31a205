import type { RegistryTool } from '../../../tools/index.ts'
import { ToolFailure } from './tool-failure.ts'

/** What a call of a tool is answered that is only described here. */
export function notExecutable({ id }: Pick<RegistryTool, 'id'>): ToolFailure {
  return new ToolFailure({
    code: 'not-executable',
    message: `The tool ${id} is described in the registry and is run by the client, not here.`,
    retryable: false,
    hint: 'Call it as a tool of the client, or choose another tool.',
  })
}
