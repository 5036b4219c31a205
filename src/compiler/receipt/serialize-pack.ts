import type { Pack } from '../../core/index.ts'
import { stableJson } from '../../core/index.ts'

/** A pack as canonical JSON: equal packs give equal bytes. */
export function serializePack(pack: Pack): string {
  return stableJson(pack)
}
