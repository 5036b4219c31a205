import type { Hasher, Item, Tokenizer } from '../../core/index.ts'
import { invalidInput, itemTokens, shape, stableJson } from '../../core/index.ts'
import { requireVersion } from '../policy/semantic-version.ts'

/** What an operator says of a model's role: written by hand, with a version of its own. */
export interface RolePolicyDocument {
  readonly id: string
  /** Semantic: `1.2.0`. */
  readonly version: string
  /** The person or team that has written it. */
  readonly operator: string
  /** One directive a line, each list in its order. */
  readonly identity: readonly string[]
  readonly safety: readonly string[]
  readonly output: readonly string[]
  readonly precedence: readonly string[]
  /** What `rolePolicy` has given for these very words; another text under it is refused. */
  readonly sha256?: string
}

/** A role policy that was read: items that stand whole, at a cost that is known. */
export interface RolePolicy {
  readonly id: string
  readonly version: string
  /** SHA-256 over everything but itself, as lower-case hexadecimal. */
  readonly sha256: string
  /** Of its texts, without what a layout writes around them. */
  readonly tokens: number
  /** Of section `policy`. */
  readonly items: readonly Item[]
}

/** Options of `rolePolicy`. */
export interface RolePolicyOptions {
  readonly hash: Hasher
  readonly tokenizer: Tokenizer
  /** More is an error that says how much it is. */
  readonly maxTokens?: number
}

const { list, name, object, optional, text } = shape

const rolePolicyShape = object<RolePolicyDocument>({
  id: name,
  version: text,
  operator: name,
  identity: list(name),
  safety: list(name),
  output: list(name),
  precedence: list(name),
  sha256: optional(text),
})

const parts = ['identity', 'safety', 'output', 'precedence'] as const

/**
 * Reads a role policy as an operator keeps it in a file. Throws `invalid-input` that names what is missing, unknown, of several lines, not a semantic
 * version, other than its hash says, or dearer than allowed. Pure.
 */
export function rolePolicy(value: unknown, { hash, tokenizer, maxTokens }: RolePolicyOptions): RolePolicy {
  shape.check(rolePolicyShape, value, 'rolePolicy', { strict: true })
  const { sha256: stated, ...document } = value as RolePolicyDocument
  requireVersion(document.version, 'rolePolicy.version')
  for (const part of parts)
    document[part].forEach((directive, at) => requireOneLine(directive, `rolePolicy.${part}[${at}]`))
  const sha256 = hash(stableJson(document))
  if (stated !== undefined && stated !== sha256)
    throw invalidInput(
      'rolePolicy.sha256',
      `is not that of the text, ${sha256}`,
      'Restore the text, or release a new version.',
    )
  const items = parts.filter((part) => document[part].length > 0).map((part) => itemOf(document, part))
  const tokens = items.reduce((sum, item) => sum + itemTokens(tokenizer, item), 0)
  if (maxTokens !== undefined && tokens > maxTokens)
    throw invalidInput('rolePolicy', `takes ${tokens} tokens of ${maxTokens}`, 'Say less, or allow more.')
  return { id: document.id, version: document.version, sha256, tokens, items }
}

/** So that each line of the text that is sent is one directive. */
function requireOneLine(directive: string, field: string): void {
  if (/[\r\n\u2028\u2029]/.test(directive))
    throw invalidInput(field, 'has more than one line', 'Give one directive a line.')
}

function itemOf(document: RolePolicyDocument, part: (typeof parts)[number]): Item {
  return {
    id: `${document.id}@${document.version}/${part}`,
    section: 'policy',
    kind: 'instruction',
    role: 'system',
    authority: 'system',
    trust: 'trusted',
    text: document[part].join('\n'),
  }
}
