import type { MemoryKernel, MemoryScope, MemoryTable } from '../../kernel/table.ts'
import type { Ranges } from '../../kernel/table.ts'
import { restoredLedger, restoredOverlay, storedLedger } from '../ledger-rows.ts'
import type { StoredLedger } from '../ledger-rows.ts'
import { listKinds } from '../list-kinds.ts'
import { noState } from './session-state.ts'
import type { SessionState, SessionTypes, SessionWrite } from './session-state.ts'

type Kept = Omit<SessionState, 'version'>

export function memorySessions(kernel: MemoryKernel): MemoryTable<SessionTypes> {
  const states = new WeakMap<MemoryScope, Kept>()
  return {
    apply(write, { lane }) {
      if (lane) states.set(lane, changed(states.get(lane) ?? noState, write))
    },
    reads: {
      get(scope) {
        const lane = kernel.find(scope)
        if (!lane) return undefined
        const { ledger, offeredTools, overlay } = states.get(lane) ?? noState
        return { version: lane.version, ...(ledger && { ledger }), offeredTools, overlay }
      },
      lanes: (tenant, session, beginning = '') =>
        kernel
          .lanes(tenant, session)
          .toSorted((a, b) => b.usedMs - a.usedMs)
          .map(({ scope }) => scope.lane ?? '')
          .filter((lane) => lane.startsWith(beginning)),
    },
    portable: {
      *rows({ lanes }) {
        for (const { lane, number, lists } of lanes) {
          const { offeredTools, ledger, overlay } = states.get(lane) ?? noState
          if (offeredTools.length === 0 && overlay.length === 0 && !ledger) continue
          const stored = ledger ? JSON.stringify(storedLedger(lists, ledger)) : null
          const added = JSON.stringify(lists.change(listKinds.overlay, overlay))
          yield { relation: 'session_states', cells: [number, JSON.stringify(offeredTools), stored, added] }
        }
      },
      put({ cells: [number, offeredTools, ledger, overlay] }, { lane, fragments }) {
        const id = Number(number)
        states.set(lane(number), {
          offeredTools: JSON.parse(String(offeredTools)) as string[],
          overlay: restoredOverlay(fragments, id, JSON.parse(String(overlay)) as Ranges),
          ...(typeof ledger === 'string' && {
            ledger: restoredLedger(fragments, id, JSON.parse(ledger) as StoredLedger),
          }),
        })
      },
    },
  }
}

function changed(before: Kept, write: SessionWrite): Kept {
  const ledger = write.ledger === undefined ? before.ledger : write.ledger
  return {
    ...(ledger && { ledger }),
    offeredTools: write.offeredTools ?? before.offeredTools,
    // A record stands in no lane of a conversation, and is read as one.
    overlay: (write.overlay as SessionState['overlay'] | undefined) ?? before.overlay,
  }
}
