import { eitherOf } from './either-of.ts'
import { certainForms, headingForms, messageForms, summaryForms, titleForms } from './failure-forms.ts'
import { plainLine } from './failure-line.ts'
import { mayBeSuspicious } from './failure-screen.ts'

/**
 * What a line says of a failure: `certain` and `message` what has gone wrong, `title` what has failed, `summary` how much;
 * a `heading` what the lines after it are about. Certain is what nobody writes but a tool that fails.
 */
export type FailureRole = 'certain' | 'message' | 'title' | 'summary' | 'heading'

/** One pass over a whole text or line tells whether a closer look is worth it. */
export const suspicious =
  /error|patch|hunk|fail|fatal|exception|traceback|panic|denied|not found|no such|abort|segmentation|killed|cannot|could not|unable|can't|no changes made|no module|no rule|not ok|critical|severe|refused|timed? ?out|conflict|invalid|rejected|undefined|unterminated|unexpected|\bmissing|is down|not permitted|no space left|resource busy|already in use|broken pipe|unreachable|out of memory|halted|did not appear|attempt to|emerg\]|alert\]/i

/** The same, of what is written in one way only. */
export const suspiciousAsWritten =
  /[✕✗✘×●❌✖━]|^E: |^e: |\nE: |\bE[A-Z]{3}|ERR_|HTTP|_{3} |: [A-Z]{1,4}\d{3}|\bORA-|\*\* \(|Interrupt|Iteration|Exit:|Returned:|NotReady|NotFound|Configured|DoesNotExist|Fault|Level 1\d|BackOff|OOM|at \S+ line \d|^ {0,4}\d{1,4}\) |\n {0,4}\d{1,4}\) |TASK \[|RUN |checking file|expression #|: line \d|line \d+:|stdout -|> \[|^[\w-]+: \S+:\d|\n[\w-]+: \S+:\d|vet: |"level"|<title>|"status(?:_?[cC]ode)?":\s?[45]\d\d|"(?:ok|success)":\s?false/

/** False where no line of a text states a failure: one look instead of one a line. */
export function mayStateFailure(text: string): boolean {
  return mayBeSuspicious(text) && (suspicious.test(text) || suspiciousAsWritten.test(text))
}

const harmless = /\b(?:0 (?:errors?|fail(?:ed|ures?)|warnings?)|no errors?|without errors?|errors?: ?0\b)/i
const counted = /\b[1-9]\d* (?:failed|failures?|errors?|error\(s\))\b|\b(?:failures|errors|failed)[:=] ?[1-9]/i

/** A field for errors that says there is none. */
const nothingStated =
  /^\s*(?:[\w./+-]{1,80}: ){0,3}errors?\s*[:=]\s*(?:\(?(?:none|null|nil|n\/a|no|empty)\)?|-{1,3}|""|''|\[\]|\{\})[\s.]*$/i

/** The role of a line as it stands in a result; undefined where it says nothing of a failure. */
export function failureRole(line: string): FailureRole | undefined {
  return roleOfPlain(plainLine(line))
}

/** The role of a line that `plainLine` or `plainPiece` has made. */
export function roleOfPlain(line: string): FailureRole | undefined {
  if (!mayStateFailure(line) || nothingStated.test(line)) return undefined
  if (harmless.test(line) && !counted.test(line)) return undefined
  const matches = (form: RegExp): boolean => form.test(line)
  if (!anyForm.some(matches)) return undefined
  if (certainForms.some(matches)) return 'certain'
  if (headingForms.some(matches)) return 'heading'
  if (summaryForms.some(matches)) return 'summary'
  return titleForms.some(matches) ? 'title' : 'message'
}

/** Of the lines that are suspicious most have none of the forms. */
const anyForm = eitherOf([...certainForms, ...headingForms, ...summaryForms, ...titleForms, ...messageForms])
