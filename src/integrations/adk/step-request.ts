import { isInstruction } from '../../core/index.ts'
import type { Pack } from '../../core/index.ts'
import type { Config, Content, LlmRequest, Part } from './types.ts'

/** What the user has asked for last; undefined where nobody has said anything. */
export function lastUserText({ contents }: LlmRequest): string | undefined {
  const asked = contents[lastUserIndex(contents)]
  return asked && wordsOf(asked)
}

/**
 * The request with a pack in the place of what the host would send: its system text, its conversation, and in the user's last
 * message its text in front of what was no text. What came after that message, calls and their results, stays; so do of the tools those of the pack.
 */
export function withStepPack(
  request: LlmRequest,
  { messages }: Pack,
  tools: readonly string[],
): Pick<LlmRequest, 'contents' | 'config'> {
  const { contents, config } = request
  const at = lastUserIndex(contents)
  const system = messages.filter(({ role }) => isInstruction(role)).map(({ text }) => text)
  const said = messages.filter(({ role }) => !isInstruction(role))
  const [payload] = said.slice(-1)
  const media = (contents[at]?.parts ?? []).filter(({ text }) => text === undefined)
  return {
    contents: [
      ...said
        .slice(0, -1)
        .map(({ role, text }): Content => ({ role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] })),
      { role: 'user', parts: [{ text: payload?.text ?? '' }, ...media] },
      ...contents.slice(at + 1),
    ],
    config: {
      ...config,
      ...(system.length > 0 && { systemInstruction: system.join('\n\n') }),
      ...(config?.tools && { tools: chosen(config.tools, tools) }),
    },
  }
}

function lastUserIndex(contents: readonly Content[]): number {
  return contents.findLastIndex((content) => content.role === 'user' && wordsOf(content) !== '')
}

function wordsOf({ parts = [] }: Content): string {
  return parts
    .map(({ text = '' }: Part) => text)
    .join('\n')
    .trim()
}

/** Declarations in the order of the pack; what declares no functions is the host's. */
function chosen(tools: NonNullable<Config['tools']>, names: readonly string[]): NonNullable<Config['tools']> {
  return tools.map((tool) => {
    if (!('functionDeclarations' in tool) || !tool.functionDeclarations) return tool
    const known = new Map(tool.functionDeclarations.map((declaration) => [declaration.name, declaration]))
    return { ...tool, functionDeclarations: names.flatMap((name) => known.get(name) ?? []) }
  })
}
