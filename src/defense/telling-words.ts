/** What of an order shows in a reply that follows it. */
export interface TellingWords {
  /** Hosts, mail addresses, accounts and wallets. */
  readonly addresses: readonly string[]
  /** What stands between quotation marks or backticks. */
  readonly quoted: readonly string[]
}

const addresses = [
  /https?:\/\/([\w.-]{3,253})/gi,
  /([\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})/g,
  /\b(0x[\da-f]{40})\b/gi,
  /\b((?:bc1|[13])[\da-hj-km-zA-HJ-NP-Z]{25,60})\b/g,
  /\b([A-Z]{2}\d{2}[A-Z\d]{11,30})\b/g,
  /\b((?:\d{1,3}\.){3}\d{1,3})\b/g,
] as const

const quotations = [
  /"([^"\n]{2,200})"/g,
  /“([^”\n]{2,200})”/g,
  /`([^`\n]{2,200})`/g,
  /(?<!\w)'([^'\n]{2,200})'(?!\w)/g,
] as const

/** In lower case, each once. */
export function tellingWords(text: string): TellingWords {
  return { addresses: found(text, addresses), quoted: found(text, quotations) }
}

function found(text: string, forms: readonly RegExp[]): readonly string[] {
  const all = forms.flatMap((form) => Array.from(text.matchAll(form), ([, part = '']) => part))
  return [...new Set(all.map((part) => part.replace(/[.-]{1,9}$/, '').toLowerCase()))]
}
