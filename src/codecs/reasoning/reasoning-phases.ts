import type { ReasoningPhase } from '../../core/index.ts'

/** Words by which people and models say what they are doing; the first kind whose words stand in a paragraph has it. */
const cues: readonly (readonly [ReasoningPhase['type'], RegExp])[] = [
  ['reflection', /\b(?:wait|hmm|actually|on second thought|i was wrong|my mistake|reconsider|let me re-?check)\b/i],
  ['uncertainty', /\b(?:not sure|unsure|unclear|perhaps|maybe|might be|could be|i don't know|ambiguous)\b/i],
  [
    'decision',
    /\b(?:therefore|so i(?:'ll| will)|i(?:'ll| will) (?:go with|use)|decided?|the answer is|in conclusion|final answer)\b/i,
  ],
  ['planning', /\b(?:first|next|then i|let me|i(?:'ll| will)|i need to|i should|the plan|steps?)\b/i],
  ['evaluation', /\b(?:compared?|better|worse|trade-?off|verif(?:y|ies)|checks? out|correct|works|fails)\b/i],
]

/** A cue tells more of a short paragraph than of a long one. */
const shortWords = 40

/**
 * The paragraphs of a reasoning by what they do, told by their words alone: a help for readers, not a measure. What no cue
 * tells is analysis.
 */
export function reasoningPhasesOf(content: string): readonly ReasoningPhase[] {
  const phases: ReasoningPhase[] = []
  for (const paragraph of content.split(/\n\s*\n/)) {
    const text = paragraph.trim()
    if (text === '') continue
    const phase = phaseOf(text)
    const last = phases.at(-1)
    if (last?.type === phase.type) phases[phases.length - 1] = { ...last, content: `${last.content}\n\n${text}` }
    else phases.push(phase)
  }
  return phases
}

function phaseOf(content: string): ReasoningPhase {
  const [type] = cues.find(([, cue]) => cue.test(content)) ?? []
  if (type === undefined) return { type: 'analysis', content }
  const words = content.split(/\s+/).length
  return { type, content, confidence: Math.min(1, shortWords / words) }
}
