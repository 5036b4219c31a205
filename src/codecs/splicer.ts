import type { SseEvent } from './sse.ts'
import type { HiddenToolNames, SpliceState, SpliceStep, StreamSplicer } from './codec.ts'

/** A splicer of one dialect, over its own states. */
export interface SplicerParts<State extends SpliceState> {
  begin(hiddenTools: HiddenToolNames): State
  step(state: State, event: SseEvent): SpliceStep
  close(state: State): SpliceStep
  resume(state: State): State
  finish(state: State): readonly SseEvent[]
}

/** The splicer that others see: its states come from these parts only, for callers cannot make one. */
export function splicerOf<State extends SpliceState & { readonly hiddenTools: HiddenToolNames }>(
  parts: SplicerParts<State>,
): StreamSplicer {
  const own = (state: SpliceState): State => state as State
  return {
    begin: (hiddenTools) => parts.begin(hiddenTools),
    step: (state, event) => parts.step(own(state), event),
    close: (state) => parts.close(own(state)),
    resume: (state) => parts.resume(own(state)),
    hiding: (state, hiddenTools) => ({ ...own(state), hiddenTools }),
    finish: (state) => parts.finish(own(state)),
  }
}
