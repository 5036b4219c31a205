import type { JsonNode, JsonTree } from '../../core/index.ts'
import { isTrue, member, memberIndex, present } from '../../core/index.ts'
import type { Field } from '../read-field.ts'
import { child } from '../read-field.ts'

/** The members of two words and more: requests have them in camel case or in snake case, and both are one. */
type MemberName = keyof typeof snakes

const snakes = {
  allowedFunctionNames: 'allowed_function_names',
  cachedContent: 'cached_content',
  candidateCount: 'candidate_count',
  fileData: 'file_data',
  fileUri: 'file_uri',
  functionCall: 'function_call',
  functionCallingConfig: 'function_calling_config',
  functionDeclarations: 'function_declarations',
  functionResponse: 'function_response',
  generationConfig: 'generation_config',
  inlineData: 'inline_data',
  maxOutputTokens: 'max_output_tokens',
  mediaResolution: 'media_resolution',
  mimeType: 'mime_type',
  parametersJsonSchema: 'parameters_json_schema',
  responseJsonSchema: 'response_json_schema',
  responseMimeType: 'response_mime_type',
  responseModalities: 'response_modalities',
  responseSchema: 'response_schema',
  stopSequences: 'stop_sequences',
  systemInstruction: 'system_instruction',
  thinkingBudget: 'thinking_budget',
  thinkingConfig: 'thinking_config',
  thinkingLevel: 'thinking_level',
  thoughtSignature: 'thought_signature',
  toolConfig: 'tool_config',
  topK: 'top_k',
  topP: 'top_p',
} as const

/** Both spellings. */
export function spellings(name: MemberName): readonly [string, string] {
  return [name, snakes[name]]
}

/** The spelling of a member in an object; camel case where it is absent. */
export function spelling({ tree, node }: Pick<Field, 'tree' | 'node'>, name: MemberName): string {
  return memberIndex(tree, node, name) < 0 && memberIndex(tree, node, snakes[name]) >= 0 ? snakes[name] : name
}

/** A member that is there and not null. */
export function either(tree: JsonTree, node: JsonNode | undefined, name: MemberName): JsonNode | undefined {
  return present(tree, node, name) ?? present(tree, node, snakes[name])
}

export function eitherChild(field: Field, name: MemberName): Field | undefined {
  return child(field, name) ?? child(field, snakes[name])
}

/** What a part of a message is: the first of its members that says so. */
export type PartKind = 'call' | 'result' | 'thought' | 'text' | 'inline' | 'file' | 'other'

export function partKind(tree: JsonTree, part: JsonNode | undefined): PartKind {
  if (either(tree, part, 'functionCall') !== undefined) return 'call'
  if (either(tree, part, 'functionResponse') !== undefined) return 'result'
  if (member(tree, part, 'text')?.kind === 'string')
    return isTrue(tree, member(tree, part, 'thought')) ? 'thought' : 'text'
  if (either(tree, part, 'inlineData') !== undefined) return 'inline'
  return either(tree, part, 'fileData') === undefined ? 'other' : 'file'
}
