/** What stands where a provider's signature would, in reasoning of another model that we tell a client: who wrote it. */
const mark = 'prehend:'

/** In the place of a signature, for reasoning that its provider has not signed. */
export function ownerMark(model: string): string {
  return `${mark}${model}`
}

/** The model that such a mark names; undefined for a provider's own signature. */
export function markedOwner(signature: string): string | undefined {
  return signature.startsWith(mark) ? signature.slice(mark.length) : undefined
}

/** Whether reasoning may be of a model: of one family, or nobody knows whose. */
export function mayBeOf(model: string, reasonedBy: string | undefined): boolean {
  return reasonedBy === undefined || familyOf(model) === familyOf(reasonedBy)
}

/** The first word of a model's name, without the vendor before it. */
export function familyOf(model: string): string {
  return /[a-z]+/.exec(model.slice(model.lastIndexOf('/') + 1).toLowerCase())?.[0] ?? ''
}
