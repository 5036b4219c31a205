/** Our own name of a setting in the environment, then its aliases under the prefixes of older products. */
export function variablesOf(name: string): readonly string[] {
  return [`PREHEND_${name}`, `BARDO_INFERENCE_${name}`, `CRUVERO_${name}`]
}
