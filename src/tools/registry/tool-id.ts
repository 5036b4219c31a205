import { invalidInput } from '../../core/index.ts'

/** The server of tools that a tenant has put itself, without naming one. */
export const ownServer = 'own'

export interface ToolId {
  readonly server: string
  readonly name: string
}

const serverName = /^[a-z][a-z0-9._-]{0,63}$/
/** As the Model Context Protocol has names, and OpenAPI operations. */
const toolName = /^[A-Za-z0-9_][\w.\-/]{0,127}$/

export function toolId({ server, name }: ToolId): string {
  return `${server}::${name}`
}

/** Reads `server::name`, or a name alone. Throws `invalid-input`. */
export function readToolId(text: string): ToolId {
  const at = text.indexOf('::')
  const [server, name] = at < 0 ? [ownServer, text] : [text.slice(0, at), text.slice(at + 2)]
  if (!serverName.test(server) || !isToolName(name))
    throw invalidInput(
      'id',
      'is no id of a tool',
      'Give one such as weather::get_forecast: letters, digits and _ . - /.',
    )
  return { server, name }
}

/** Whether a source may have a tool of this name. */
export function isToolName(name: string): boolean {
  return toolName.test(name) && !name.includes('..')
}
