import type { JsonTree } from '../../core/index.ts'
import { member, rawText } from '../../core/index.ts'
import type { HiddenToolNames } from '../codec.ts'
import { scanReply, upstreamBroken } from '../reply-body.ts'
import type { SseEvent } from '../sse.ts'
import { sortEdits, splice, withMembers } from '../splice.ts'
import { isCallOf } from './chunk.ts'
import type { ChunkParts } from './fold-parts.ts'
import { joinedParts, modelMessage } from './fold-parts.ts'
import { firstCandidate, partsOf } from './reducer.ts'
import { chunksOf } from './reply.ts'
import { geminiSplicer } from './splicer.ts'

/** The last reply of a client request, its usage included, with the parts of all before it and the first one's id. */
export function mergeReplies(bodies: readonly string[], hiddenTools: HiddenToolNames): string {
  const trees = bodies.map(scanReply)
  const [first] = trees
  const last = trees.at(-1)
  if (first === undefined || last === undefined) throw upstreamBroken('is missing')
  if (last.root.kind === 'array') return mergeLists(trees, hiddenTools)
  const all = trees.map(partsIn)
  const visible = all.map(({ tree, parts }) => {
    return { tree, parts: parts.filter((part) => !isCallOf(tree, part, hiddenTools)) }
  })
  if (trees.length === 1 && visible[0]?.parts.length === all[0]?.parts.length) return last.text.toString()
  const candidate = firstCandidate(last, last.root)
  if (candidate === undefined) throw upstreamBroken('has no candidates')
  const said: readonly [string, string] = ['content', modelMessage(joinedParts(visible))]
  const text = withMembers(rawText(last, candidate), [said])
  const body = splice(last.text, sortEdits([{ start: candidate.start, end: candidate.end, text }]))
  const id = member(first, first.root, 'responseId')
  return trees.length === 1 || id === undefined ? body : withMembers(body, [['responseId', rawText(first, id)]])
}

function partsIn(tree: JsonTree): ChunkParts {
  return { tree, parts: partsOf(tree, firstCandidate(tree, tree.root)) }
}

/** Lists of chunks are streams in another form. */
function mergeLists(trees: readonly JsonTree[], hiddenTools: HiddenToolNames): string {
  const splicer = geminiSplicer()
  const chunks: SseEvent[] = []
  let state = splicer.begin(hiddenTools)
  for (const [index, tree] of trees.entries()) {
    if (index > 0) state = splicer.resume(state)
    for (const chunk of chunksOf(tree.root)) {
      const stepped = splicer.step(state, { data: rawText(tree, chunk) })
      state = stepped.state
      chunks.push(...stepped.forward)
    }
    const closed = splicer.close(state)
    state = closed.state
    chunks.push(...closed.forward)
  }
  chunks.push(...splicer.finish(state))
  return `[${chunks.map(({ data }) => data).join(',\n')}]`
}
