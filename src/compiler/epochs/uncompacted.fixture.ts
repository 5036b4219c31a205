import type { Policy } from '../../core/index.ts'

/** A policy that shortens results one by one and compacts nothing. */
export function uncompacted(policy: Policy): Policy {
  const { compaction: _, ...epochs } = policy.epochs
  return { ...policy, epochs }
}
