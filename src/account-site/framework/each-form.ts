import type { z } from 'zod'
import { DomainError, invalid } from '../../../schema/core/errors.ts'
import type { Requirement } from '../../../schema/core/requires.ts'
import { listMessages } from '../../web/components/forms/refusal-words.ts'
import { isolateName } from '../../web/display-name.ts'
import { list } from './field-types.ts'
import { form } from './form.ts'
import type { PageForm } from './form.ts'
import type { PageContext } from './page-context.ts'

interface EachFormDeclaration<Fields extends z.ZodType> {
  fields: Fields
  requirements: readonly Requirement[]
  /** Name of the form field that selects the subjects. Error messages are shown at it. */
  field: string
  /** The error message for a form without a subject. */
  none: string
  /** Returns the identifiers or addresses for which the operation runs. */
  listSubjects(fields: z.output<Fields>): readonly string[]
  /** Runs before the first operation, and throws if no operation may run. */
  guard?(fields: z.output<Fields>): Promise<void>
  /** Runs the operation for one subject and returns its name. */
  run(subject: string, fields: z.output<Fields>, ctx: PageContext): Promise<string>
  /** Returns a notice about the subjects for which the operation was run. */
  notice(names: string, count: number, fields: z.output<Fields>): string
  /** Returns the path of the next page, by default that of the form. */
  to?(ctx: PageContext): string
  /** Returns true if the page shows the selected subjects again before the operation runs (components/lists/selection-panel.tsx). */
  needsConfirmation?(fields: z.output<Fields>): boolean
  /** Returns the name of a refused subject. By default it is the subject itself. */
  getName?(subject: string, ctx: PageContext): Promise<string>
}

/** Codes of errors that concern one subject. Other errors, such as a missing right, would be the same for all. */
const refusals = new Set<string>(['validation_failed', 'already_member', 'last_owner', 'not_found', 'rate_limited'])
const maxSubjects = 100
const maxNames = 10

/**
 * Declares a form that runs an operation for each of several subjects, each in its own transaction. If a subject is refused, the operation
 * still runs for the others, and the notice names both. If all are refused, the form is shown again.
 */
export const eachForm = <Fields extends z.ZodType>(declaration: EachFormDeclaration<Fields>): PageForm => ({
  ...form({
    fields: declaration.fields,
    async submit(fields, ctx) {
      const { field, none, notice, getName, to } = declaration
      const subjects = [...new Set(declaration.listSubjects(fields))]
      if (subjects.length === 0) throw invalid({ [field]: [none] })
      if (subjects.length > maxSubjects) throw invalid({ [field]: [`Choose at most ${maxSubjects} at a time.`] })
      // Without the right, a user sees no confirmation, because the operation is refused.
      if (declaration.needsConfirmation?.(fields) && ctx.isAllowed(declaration.requirements))
        throw invalid({ confirmed: ['Check what you selected.'] })
      await declaration.guard?.(fields)
      const done: string[] = []
      const refused: { subject: string; message: string }[] = []
      for (const subject of subjects)
        try {
          done.push(await declaration.run(subject, fields, ctx))
        } catch (error) {
          if (!(error instanceof DomainError) || !refusals.has(error.code)) throw error
          // A single refusal becomes the response, such as a 429 with the time of the next attempt.
          if (error.code === 'rate_limited' && subjects.length === 1) throw error
          refused.push({ subject, message: error.code === 'not_found' ? 'It no longer exists.' : listMessages(error).join(' ') })
        }
      const messages: string[] = []
      for (const { subject, message } of refused.slice(0, maxNames))
        messages.push(`${(await getName?.(subject, ctx)) ?? subject}: ${message}`)
      if (refused.length > maxNames) messages.push(`${refused.length - maxNames} more were refused.`)
      if (done.length === 0) throw invalid({ [field]: messages })
      return { notice: [notice(formatNames(done), done.length, fields), ...messages].join(' '), path: to?.(ctx) }
    },
  }),
  requirements: declaration.requirements,
})

/** The fields of a selection: chosen rows, all rows of the page, and the rows that the user already saw in the confirmation. */
export const selectionFields = { selected: list, all: list, confirmed: list }
type Selected = Record<keyof typeof selectionFields, string[]>

const valuesIn = (lists: readonly string[]) => lists.flatMap((values) => values.split(',')).filter(Boolean)

/** Returns the selected rows. Checkboxes have one value each; `all` and `confirmed` have several values, separated by commas. */
export const listSelected = ({ selected, all }: Omit<Selected, 'confirmed'>) => [...new Set([...selected, ...valuesIn(all)])]

/** Returns true if the confirmation showed exactly these rows. */
export function isConfirmed(fields: Selected): boolean {
  const [selected, shown] = [listSelected(fields), new Set(valuesIn(fields.confirmed))]
  return selected.length === shown.size && selected.every((value) => shown.has(value))
}

/** Returns `Ada, Ben and Cy`; for a long list, the first names. */
function formatNames(names: readonly string[]): string {
  const shown = names.length > maxNames ? [...names.slice(0, maxNames), `${names.length - maxNames} more`] : names
  return new Intl.ListFormat('en-GB').format(shown.map(isolateName))
}
