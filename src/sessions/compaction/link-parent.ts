import type { SessionHost } from '../session-host.ts'
import { withChild } from './handoff-session.ts'
import { changeRecord } from './session-record.ts'

/** Has a session known as the child of another one, once; the first parent that was named stays. Rejects where the store does. */
export async function linkParent({ lane, parts }: SessionHost, parent: string): Promise<void> {
  const { scope } = lane
  if (lane.record()?.parent !== undefined || parent === scope.session) return
  const { tenant } = scope
  const quietly = { touches: false }
  lane.note(await changeRecord(parts, scope, (record) => (record.parent ? record : { ...record, parent }), quietly))
  await changeRecord(
    parts,
    { tenant, session: parent },
    (record) =>
      record.children?.includes(scope.session) ? record : { ...record, ...withChild(record, scope.session) },
    quietly,
  )
}
