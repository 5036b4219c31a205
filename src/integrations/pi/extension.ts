import { packedCalls } from '../neutral/index.ts'
import type { IntegrationOptions } from '../neutral/index.ts'
import { packedProvider } from './packed-provider.ts'
import type { ExtensionApi, ExtensionContext } from './types.ts'

/**
 * An extension for the coding agent pi, which packs every call of its models:
 *
 * ```ts
 * export default prehendExtension({ policy: 'thrifty' })
 * ```
 *
 * Session, tools and messages of pi stay as they are, whole. Calls of `rehydrate` are answered here and never seen.
 */
export function prehendExtension(options: IntegrationOptions = {}): (pi: ExtensionApi) => void {
  const calls = packedCalls(options)
  return (pi) => {
    const packed = new Set<string>()
    const pack = (_: object, { model, modelRegistry }: ExtensionContext): void => {
      const provider = model && !packed.has(model.provider) ? modelRegistry.getProvider(model.provider) : undefined
      if (provider === undefined) return
      packed.add(provider.id)
      pi.registerProvider(packedProvider(provider, calls))
    }
    pi.on('session_start', pack)
    pi.on('model_select', pack)
  }
}
