import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Button, Buttons } from './forms/button.tsx'
import { FieldDescription, fieldIdOf } from './forms/field-description.tsx'
import { Form, usePageForms, useRefusal, useSubmittedField } from './forms/form.tsx'

interface SelectableRow {
  value: string
  name: string
}

/** The rows of a table page that can be selected. */
export interface PageSelection {
  /** Those that the user selected before the page was shown again. */
  rows: readonly SelectableRow[]
  all: readonly SelectableRow[]
}

export const SelectionContext = createContext<PageSelection>({ rows: [], all: [] })
export const useSelection = () => useContext(SelectionContext)

/** Checks the boxes of all rows. The form works without it. */
export const selectionScript = 'select-all.js'

const valuesOf = (rows: readonly SelectableRow[]) => rows.map(({ value }) => value).join(',')

/** The box that selects all rows of the page, in the head of the table. */
export const SelectAll = ({ form }: { form: string }) => {
  const { all } = useSelection()
  if (all.length === 0) return null
  return (
    <label>
      <input type="checkbox" form={form} name="all" value={valuesOf(all)} />
      <span>Select all on this page ({all.length})</span>
    </label>
  )
}

/** What is asked before the form acts on the selected rows. */
interface Confirmation {
  /** The consequence in words. */
  text: string
  button: string
  /** Whether it cannot be undone. */
  isDangerous: boolean
}

interface SelectionPanelProps {
  /** The form's name, and the id by which the checkboxes of the table refer to it. */
  form: string
  /** What can be done with the selected rows: the options of the field `action`. Without it there is one action. */
  actions?: ComponentChildren
  /** The button that continues to the confirmation. */
  button: string
  confirm(count: number, action: string): Confirmation
}

/**
 * The form of the selected rows of a table, below it. The styles show it while a row is selected, with the number of selected rows; no
 * script is needed. It is shown again with their names before anything is done.
 */
export const SelectionPanel = ({ form, ...content }: SelectionPanelProps) => (
  <div class={useRefusal(form) === null ? 'bulk' : 'bulk open'} role="region" aria-label="Selected rows">
    <Form name={form} id={form}>
      <Content form={form} {...content} />
    </Form>
  </div>
)

const words = { label: 'Selection', verb: 'Choose' } as const

function Content({ form, actions, button, confirm }: SelectionPanelProps) {
  const { rows } = useSelection()
  const refusals = useSubmittedField('selected', words).messages
  const isAsked = useSubmittedField('confirmed', words).messages.length > 0
  const action = useSubmittedField('action', words).value
  if (isAsked && rows.length > 0)
    return <Confirm form={form} rows={rows} action={typeof action === 'string' ? action : null} confirm={confirm} />
  return (
    <>
      {isAsked && <p class="wrong">What you selected is no longer on this page.</p>}
      <FieldDescription id={fieldIdOf('selected')} hint={null} messages={refusals} />
      <div class="step">
        <strong class="count" />
        {actions && <div class="action">{actions}</div>}
        <Button kind="second">{button}</Button>
      </div>
    </>
  )
}

interface ConfirmProps extends Pick<SelectionPanelProps, 'form' | 'confirm'> {
  rows: readonly SelectableRow[]
  action: string | null
}

function Confirm({ form, rows, action, confirm }: ConfirmProps) {
  const refused = useRefusal(form)
  if (refused) refused.isQuestion = true
  const { text, button, isDangerous } = confirm(rows.length, action ?? '')
  return (
    <>
      <input type="hidden" name="confirmed" value={valuesOf(rows)} />
      {action !== null && <input type="hidden" name="action" value={action} />}
      <div class="selected" role="group" aria-label="Selected" tabIndex={-1} autofocus>
        <p>{text}</p>
        <ul>
          {rows.map(({ name }) => (
            <li>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <Buttons>
        <Button kind={isDangerous ? 'danger' : undefined}>{button}</Button>
        <a class="button second" href={usePageForms(form).action}>
          Cancel
        </a>
      </Buttons>
    </>
  )
}
