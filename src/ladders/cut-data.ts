import { contentKind } from './content-kind.ts'
import { losslessForms } from './lossless-forms.ts'
import { isMixed } from './kind-blob.ts'
import { writeMarker } from './marker-grammar.ts'

/** Shorter ones are not worth a marker. */
const shortest = 200
/** What may be a key, a certificate or a place to go on from stays whole up to this length: somebody has to hand it on. */
const longestKey = 4_000
/** Characters before a string in which the name of its member is looked for. */
const reach = 120

const strings = new RegExp(
  String.raw`data:[\w/+.;=-]{1,80};base64,([A-Za-z0-9+/_-]{${shortest},}={0,2})|(?<=")([A-Za-z0-9+/_-]{${shortest},}={0,2})(?=\\?")`,
  'g',
)
const keyed =
  /(?:token|cursor|key|secret|cert(?:ificate)?|crt|pem|sig(?:nature)?|jwt|credential|password|nonce|hash|digest|state|continuation|etag|session|auth\w*|cookie|id|data|ca)"?\s*:\s*"?$/i
/** Certificates and keys of their own accord: PEM in base64, keys of SSH, JSON Web Tokens. */
const keys = /^(?:LS0tLS1CRUdJTi|AAAA[BCDE]3NzaC1|eyJ)/

/** One look that most texts fail. */
const mayHold = new RegExp(`[A-Za-z0-9+/_-]{${shortest}}`)

/**
 * A text with a marker in place of each picture or file that stands in it as base64: in a data URI, or as a string of JSON. The same
 * text where there is none. Never of keys, tokens and cursors that a later call hands on.
 */
export function withoutData(text: string, handle: string): string {
  if (!text.includes('"') && !text.includes(';base64,')) return text
  if (!mayHold.test(text)) return text
  return text.replaceAll(strings, (found, inUri: string | undefined, inString: string | undefined, at: number) => {
    const data = inUri ?? inString ?? ''
    const before = text.slice(Math.max(0, at - reach), at)
    if (inUri === undefined && data.length < longestKey && (keyed.test(before) || keys.test(data))) return found
    if (!isMixed(data.slice(0, 400))) return found
    const start = inUri === undefined ? '' : found.slice(0, found.length - data.length)
    return `${start}${writeMarker('data', { bytes: data.length, handle })}`
  })
}

/** The data in a text that a marker with this length stands for; undefined where there is none, or several that differ. */
export function dataOfLength(text: string, bytes: number): string | undefined {
  const found = new Set(
    Array.from(text.matchAll(strings), ([, inUri, inString]) => inUri ?? inString ?? '').filter(
      ({ length }) => length === bytes,
    ),
  )
  const [data] = found
  return found.size === 1 ? data : undefined
}

const atStart = /^\[\d{1,9} characters of data left out: [A-Za-z0-9_-]{4,64}\]/

/** The marker of data with which a text begins: it stands inside lines, unlike all others. */
export function dataMarkerAt(text: string): string | undefined {
  return atStart.exec(text)?.[0]
}

const marked = /\[\d{1,9} characters of data left out: ([A-Za-z0-9_-]{4,64})\]/
const folded = /(?:^|\n)\[[^\n]{0,40}(?:folded|not shown)\b/

/** Whether a shown text is another one, or one of its lossless forms, but for the data in it. */
export function isWithoutData(shown: string, text: string): boolean {
  const handle = marked.exec(shown)?.[1]
  if (handle === undefined) return false
  const cut = withoutData(text, handle)
  return shown === cut || losslessForms(text, contentKind(text)).some((form) => withoutData(form, handle) === shown)
}

/** Whether data is all that a shown text has lost. */
export function lacksDataOnly(shown: string): boolean {
  return marked.test(shown) && !folded.test(shown)
}
