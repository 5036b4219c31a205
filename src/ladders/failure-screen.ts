/**
 * One look at each character, before any expression, at whether a text may state a failure: most do not. Each alternative of the
 * expressions in `failure-role.ts` has characters here without which no text has it: four, or three, or a digit behind a colon.
 */

/** In either case. */
const inEitherCase = [
  "erro|patc|hunk|fail|fata|cept|aceb|pani|enie|t fo|o su|bort|segm|kill|anno|ld n|unab|an't|o ch|o mo|o ru|t ok|riti|seve",
  'efus|meou|me o|medo|med |nfli|nval|ejec|ndef|rmin|nexp|issi|s do|rmit|o sp|e bu|n us|n pi|nrea|f me|halt|t ap|mpt |erg]|ert]',
]

/** As they are written, but `A` is any capital and `0` any digit. */
const asWritten = [
  '\nA: |\ne: |___ |: A0|: AA|** (|rrup|erat|xit:|ned:|otAe|otAo|sAot|onfi|Aaul|el 0|ckAf|g fi|on #|ne 0',
  'ut -|vet:|"lev|<tit|"sta|"ok"|"suc',
]

/** The same, at the end of four characters whose first is any. */
const endings = ['AAA', '0) ', '> [']

/** Characters beyond ASCII that only programs write. */
const symbols = new Set(Array.from('✕✗✘×●❌✖━', (symbol) => symbol.charCodeAt(0)))

const BEYOND = 128
const [lineFeed, COLON, A, ZERO] = ['\n', ':', 'A', '0'].map((char) => char.charCodeAt(0)) as [
  number,
  number,
  number,
  number,
]

/** What a character counts as in either case, and as it is written. */
const folded = Uint8Array.from({ length: BEYOND }, (_, unit) => String.fromCharCode(unit).toLowerCase().charCodeAt(0))
const classed = Uint8Array.from({ length: BEYOND }, (_, unit) => {
  const char = String.fromCharCode(unit)
  return /[A-Z]/.test(char) ? A : /\d/.test(char) ? ZERO : unit
})

/** Four characters as one number. */
function wordOf(four: string): number {
  return Array.from(four).reduce((word, char) => (word << 8) | char.charCodeAt(0), 0)
}

const SLOT_BITS = 13

function slotOf(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> (32 - SLOT_BITS)
}

/** A set of words, with a table that most others are not in. */
interface Words {
  readonly all: ReadonlySet<number>
  readonly slots: Uint8Array
}

function wordsOf(lists: readonly string[]): Words {
  const all = new Set(lists.flatMap((list) => list.split('|')).map(wordOf))
  const slots = new Uint8Array(1 << SLOT_BITS)
  for (const word of all) slots[slotOf(word)] = 1
  return { all, slots }
}

const eitherCase = wordsOf(inEitherCase)
const written = wordsOf([
  ...asWritten,
  ...endings.flatMap((ending) => Array.from(classed, (unit) => String.fromCharCode(unit) + ending)),
])

/** False where a text has none of what each of the expressions needs. */
export function mayBeSuspicious(text: string): boolean {
  let inFolds = 0
  // A text begins as a line of it does.
  let inClasses = lineFeed
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit >= BEYOND) {
      if (symbols.has(unit)) return true
      inFolds = 0
      inClasses = 0
      continue
    }
    const kind = classed[unit] ?? 0
    if (kind === ZERO && (inClasses & 0xff) === COLON) return true
    inFolds = (inFolds << 8) | (folded[unit] ?? 0)
    inClasses = (inClasses << 8) | kind
    if (eitherCase.slots[slotOf(inFolds)] === 1 && eitherCase.all.has(inFolds)) return true
    if (written.slots[slotOf(inClasses)] === 1 && written.all.has(inClasses)) return true
  }
  return false
}
