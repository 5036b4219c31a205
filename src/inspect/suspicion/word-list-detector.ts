import type { InjectionDetector } from '../../core/index.ts'

const words =
  /ignore (?:all|any|the|previous|above|prior)|disregard (?:all|any|the|previous|above)|forget (?:all|everything|your)|system prompt|jailbreak|do anything now|developer mode/i

/** What anybody would try first: a list of phrases; it scores 1 or 0. */
export const wordListDetector: InjectionDetector = {
  id: 'word-list',
  score: (text) => ({ score: words.test(text) ? 1 : 0, reasons: [] }),
}
