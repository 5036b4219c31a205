import type { GatewayConfig } from '../config.ts'

/** A token that protects less than its owner may think. Its text is not repeated. */
export interface WeakToken {
  /** Where it stands, such as `tokens[0].token`. */
  readonly field: string
  readonly problem: string
  readonly remedy: string
  /** Whether it is a text that everybody can read in our files. */
  readonly isPublic: boolean
}

/** Texts of the files in `deploy/` and of the documentation that stand where a secret should. */
const placeholder =
  /^(?:replace|change)-|^(?:a-long-secret|another-one|another-secret|OPERATOR_TOKEN|CLIENT_TOKEN|METRICS_TOKEN)$/i
/** Shorter ones can be guessed by trying. */
const leastChars = 16

const remedy = 'Give a random one, such as that of "openssl rand -hex 24".'

/** Tokens of a configuration that somebody may guess: placeholders of our deployment files, and short ones. */
export function weakTokens({ tokens }: Pick<GatewayConfig, 'tokens'>): readonly WeakToken[] {
  return tokens.flatMap(({ token }, index): readonly WeakToken[] => {
    const field = `tokens[${index}].token`
    if (placeholder.test(token)) return [{ field, problem: 'is a placeholder of our files', remedy, isPublic: true }]
    if (token.length >= leastChars) return []
    return [{ field, problem: `has fewer than ${leastChars} characters`, remedy, isPublic: false }]
  })
}
