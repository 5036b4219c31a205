import { PrehendError } from '../core/index.ts'
import { builtinModule } from '../host/index.ts'
import type { TokenVocabulary, VocabularyId } from './bpe/token-vocabulary.ts'

const handedIn = new Map<VocabularyId, TokenVocabulary>()

/** From now on counts by this vocabulary need no file: it is what its name says, whoever hands it in. */
export function keepVocabulary(vocabulary: TokenVocabulary): void {
  handedIn.set(vocabulary.id, vocabulary)
}

/** One that was handed in, or from its file. Throws `invalid-input` where there is neither. */
export function vocabularyOf(id: VocabularyId): TokenVocabulary {
  return handedIn.get(id) ?? readVocabulary(id) ?? missing(id)
}

/** Whether counts by this vocabulary can be had at all. */
export function isKnownVocabulary(id: VocabularyId): boolean {
  return handedIn.has(id) || isShipped(id)
}

const shipped = new Map<VocabularyId, boolean>()

/** Whether its file lies where this module does; a bundle may have lost it. */
export function isShipped(id: VocabularyId): boolean {
  const known = shipped.get(id)
  if (known !== undefined) return known
  const file = fileOf(id)
  const found = file !== undefined && exists(file)
  shipped.set(id, found)
  return found
}

/** A host that asks before a program may look at files throws where nobody has allowed it. */
function exists(file: URL): boolean {
  try {
    return builtinModule('node:fs')?.existsSync(file) === true
  } catch {
    return false
  }
}

function readVocabulary(id: VocabularyId): TokenVocabulary | undefined {
  const file = fileOf(id)
  const fs = builtinModule('node:fs')
  if (file === undefined || fs === undefined || !isShipped(id)) return undefined
  return { id, ...(JSON.parse(fs.readFileSync(file, 'utf8')) as Omit<TokenVocabulary, 'id'>) }
}

/** Undefined in a bundle that does not know where it lies, or lies on the web. */
function fileOf(id: VocabularyId): URL | undefined {
  // An address that bundlers do not recognise: they would copy three megabytes into every web page's assets.
  const here: string | undefined = import.meta.url
  if (!here?.startsWith('file:')) return undefined
  return new URL(`./vocabularies/${id.replace('_', '-')}.json`, here)
}

function missing(id: VocabularyId): never {
  const remedy = `Hand in the one of prehend/vocabularies/${id.replace('_', '-')} with modelCatalogue({ vocabularies })`
  throw new PrehendError('invalid-input', `The vocabulary ${id} is not to be had here. ${remedy}.`, {
    field: 'encoding',
    remedy,
  })
}
