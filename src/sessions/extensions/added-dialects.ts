import { dialects as builtIn, dialectsWith } from '../../codecs/index.ts'
import type { Codec, DialectTable } from '../../codecs/index.ts'
import { invalidInput, objectLike, shape, withMethods } from '../../core/index.ts'
import type { SessionAdditions } from './extension.ts'
import { named } from './read-extension.ts'

const codecShape = withMethods<Codec>('a dialect', [
  'decode',
  'encode',
  'rawItem',
  'orderTools',
  'mediaUrl',
  'write',
  'pathTo',
  'decodeReply',
  'usageOf',
  'reducer',
  'splicer',
  'endOf',
  'mergeReplies',
  'hiddenMessages',
  'hiddenTurn',
  'overlayOf',
  'restore',
  'replyParts',
  'citations',
  'encodeError',
  'encodeStreamError',
])
const partShapes = ['signs', 'carried', 'textPlaces', 'replyReader', 'replyWriter'] as const
const nameForm = /^[a-z][a-z0-9-]{0,39}$/

/** Throws `invalid-input` that names the first dialect that is none. */
export function requireDialects(at: string, dialects: readonly Codec[]): void {
  for (const [index, codec] of dialects.entries()) {
    const field = `${at}.dialects[${index}]`
    shape.check(codecShape, codec, field)
    for (const part of partShapes) shape.check(objectLike('an object'), codec[part], `${field}.${part}`)
    if (typeof codec.dialect !== 'string' || !nameForm.test(codec.dialect))
      throw invalidInput(`${field}.dialect`, 'is not a name', 'Use lower-case letters, digits and -.')
  }
}

interface Adding {
  readonly name: string
  readonly added: Pick<SessionAdditions, 'dialects'>
}

/** The built-in dialects and those of extensions. Throws `invalid-input` where two have one name. */
export function dialectsOf({ all }: { readonly all: readonly Adding[] }): DialectTable {
  const owners = new Map(builtIn.names.map((name) => [name, 'Prehend']))
  for (const { name, added } of all)
    for (const [index, { dialect }] of (added.dialects ?? []).entries()) {
      const owner = owners.get(dialect)
      if (owner !== undefined)
        throw invalidInput(
          `${named(name)}.dialects[${index}].dialect`,
          `is ${JSON.stringify(dialect)}, which is a dialect of ${owner}`,
          'Give it another name.',
        )
      owners.set(dialect, named(name))
    }
  return dialectsWith(all.flatMap(({ added }) => added.dialects ?? []))
}
