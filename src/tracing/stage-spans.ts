import type { CompileFigures, CompileWatch, StageFigures } from '../core/index.ts'
import type { OpenSpan } from './open-span.ts'
import type { SpanAttributes } from './span-record.ts'

/** The stages of a compile as spans within one of its own, which is opened when it begins and has the figures of all of it. */
export function stageSpans(open: () => OpenSpan): CompileWatch {
  let whole: OpenSpan | undefined
  let counted: (() => void)[] = []
  return {
    begins(stage) {
      whole = stage === 'compile' ? open() : (whole ?? open())
      const span = stage === 'compile' ? whole : whole.child(`prehend.stage ${stage}`)
      if (stage === 'compile') counted = []
      else span.set({ 'prehend.stage': stage })
      return (figures) => {
        span.end()
        if (figures) counted.push(() => span.set(attributesOf(figures())))
        else span.fail('failed')
        // Only now is all known that figures are made of.
        if (figures && stage === 'compile') for (const count of counted) count()
      }
    },
  }
}

function attributesOf(figures: StageFigures & Partial<CompileFigures>): SpanAttributes {
  const { itemsIn, itemsOut, tokensIn, tokensOut, outcome, quality } = figures
  return {
    'prehend.items.in': itemsIn,
    'prehend.items.out': itemsOut,
    'prehend.tokens.in': tokensIn,
    'prehend.tokens.out': tokensOut,
    ...(outcome !== undefined && { 'prehend.outcome': outcome }),
    ...Object.fromEntries(Object.entries(quality ?? {}).map(([name, value]) => [`prehend.quality.${name}`, value])),
  }
}
