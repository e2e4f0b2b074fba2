import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Button, Buttons } from '../forms/button.tsx'
import { FieldDescription, formatFieldId } from '../forms/field-description.tsx'
import { Form, usePageForms, useRefusal, useSubmittedField } from '../forms/form.tsx'

interface SelectableRow {
  value: string
  name: string
}

/** The rows of a table page that can be selected. */
export interface PageSelection {
  /** Rows that the user selected before the page was shown again. */
  rows: readonly SelectableRow[]
  all: readonly SelectableRow[]
}

export const SelectionContext = createContext<PageSelection>({ rows: [], all: [] })
export const useSelection = () => useContext(SelectionContext)

/** Script that checks the boxes of all rows. The form works without it. */
export const selectionScript = 'select-all.js'

const listValues = (rows: readonly SelectableRow[]) => rows.map(({ value }) => value).join(',')

/** The box in the head of the table that selects all rows of the page. */
export const SelectAll = ({ form }: { form: string }) => {
  const { all } = useSelection()
  if (all.length === 0) return null
  return (
    <label>
      <input type="checkbox" form={form} name="all" value={listValues(all)} />
      <span>Select all on this page ({all.length})</span>
    </label>
  )
}

/** Question that the page asks before the form acts on the selected rows. */
interface Confirmation {
  /** Text that describes the consequence. */
  text: string
  button: string
  /** True if the action cannot be undone. */
  isDangerous: boolean
}

interface SelectionPanelProps {
  /** Name of the form, which is also the id by which the checkboxes of the table refer to it. */
  form: string
  /** Options of the field `action`, for actions on the selected rows. Without them, there is one action. */
  actions?: ComponentChildren
  /** Label of the button that continues to the confirmation. */
  button: string
  confirm(count: number, action: string): Confirmation
}

/**
 * The form for the selected rows of a table, below it. The styles show it with the number of rows while a row is selected; no script is
 * needed. The user sees the names of the rows again before the form acts.
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
      <FieldDescription id={formatFieldId('selected')} hint={null} messages={refusals} />
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
      <input type="hidden" name="confirmed" value={listValues(rows)} />
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
