import type { JsonObject, JsonValue } from '../../../core/index.ts'
import type { OfferedTool } from './offered-tool.ts'

/** One tool, as the description of a tool that runs JavaScript declares it: `declare const tools: { name(args: {…}): …`. */
const declaration = /declare const tools: \{ (?<name>\w+)\((?:args: \{(?<members>[^]*?)\n?\}|(?<text>\w+: string))\)/g
const member = /^ *(?<name>\w+)(?<optional>\?)?: (?<type>[^;\n]*)/gm

/** The tools that a text may call which a tool runs as JavaScript, such as Codex's `exec`. */
export function toolsInCode(description: string): readonly OfferedTool[] {
  return [...description.matchAll(declaration)].map(({ groups = {} }) => {
    const { name = '', members = '', text } = groups
    if (text !== undefined) return { name, parameters: {}, required: [], takesText: true }
    const found = [...members.matchAll(member)].map(({ groups: own = {} }) => own)
    const parameters: JsonObject = Object.fromEntries(
      found.map((own) => [own['name'] ?? '', { type: own['type'] ?? '' }]),
    )
    return { name, parameters, required: found.flatMap((own) => (own['optional'] ? [] : (own['name'] ?? []))) }
  })
}

/** JavaScript that calls such a tool, and shows its output and an exit code that is not 0. */
export function codeThatCalls(name: string, given: JsonValue): string {
  return [
    `const result = await tools.${name}(${JSON.stringify(given)});`,
    'text(result.output ?? result);',
    'if (result.exit_code) text(`exit code ${result.exit_code}`);',
  ].join('\n')
}
