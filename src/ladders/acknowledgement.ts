/** Words with which people say that they have heard, in the languages that are met most; a yes or a no is an answer. */
const heard: ReadonlySet<string> = new Set(
  `ok okay k right alright sure great good nice perfect cool fine thanks thank you thx ty cheers welcome got it understood noted roger
   makes sense sounds will do i see ah oh uh huh um mm hm hmm mhm yeah yep yup wow lovely awesome excellent wonderful appreciate that
   much very so a lot well done hello hi hey bye goodbye see later please no problem worries gern danke super prima klar alles verstanden
   merci d'accord parfait gracias vale perfecto grazie`.split(/\s+/),
)

const shortest = 1
const longest = 8

/** Whether a text says no more than that something was heard: a few words of greeting, thanks or assent, and no question, figure or name. */
export function isAcknowledgement(text: string): boolean {
  if (text.length > 80 || /[?\d`/@#]/.test(text)) return false
  const words = text.toLowerCase().match(/[\p{L}]+(?:'[\p{L}]+)?/gu) ?? []
  if (words.length < shortest || words.length > longest || /^no\b(?! problem| worries)/i.test(text.trim())) return false
  return words.every((word) => heard.has(word))
}
