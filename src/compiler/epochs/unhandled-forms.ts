import type { Rendition } from '../../core/index.ts'
import { withoutHandle } from '../../ladders/index.ts'

export interface UnhandledOptions {
  readonly handle: string
  count(text: string): number
}

/**
 * The forms of an item for a request that offers no tool to follow a handle: they say what is left out, and not how to get it. The handle
 * stays in the rendition, so that the original is kept for a later request that can. A form that cannot do without is left out.
 */
export function unhandledForms(forms: readonly Rendition[], { handle, count }: UnhandledOptions): readonly Rendition[] {
  return forms.flatMap((form): readonly Rendition[] => {
    if (form.rung === 'full' || form.rung === 'lossless') return [form]
    const text = withoutHandle(form.text, handle)
    return text.includes(handle) ? [] : [{ ...form, text, tokens: count(text), handle, unhandled: true }]
  })
}
