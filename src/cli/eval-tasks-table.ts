import { percent } from '../inspect/index.ts'
import type { TaskReport } from '../inspect/index.ts'
import { textTable } from './text-table.ts'
import { hanging } from './wrap-text.ts'

/** What sections are worth to tasks, for people. */
export function tasksTable(report: TaskReport, width: number | undefined): string {
  const { name, tasks, budgetTokens, answered, sections, pairs } = report
  const rows = sections.map((one) => [one.section, `${one.tasks}`, one.worth.toFixed(3), one.weight.toFixed(2)])
  const together = pairs
    .filter(({ redundant, complementary }) => redundant + complementary > 0)
    .map(({ sections: [one, other], redundant, complementary }) => [
      `${one}, ${other}`,
      `${redundant}`,
      `${complementary}`,
    ])
  return [
    hanging(
      `${name}: ${tasks} tasks in ${budgetTokens} tokens, ${percent(answered)} of their answers in the pack`,
      width,
    ),
    '',
    textTable(['section', 'tasks', 'worth', 'weight'], rows),
    ...(together.length === 0 ? [] : ['', textTable(['together', 'redundant', 'complementary'], together)]),
    '',
    hanging(legend, width),
  ].join('\n')
}

const legend =
  'Worth: share of the answers that is lost without the section; weight: for a policy. Redundant: tasks in which either section would have done; complementary: in which neither does without the other.'
