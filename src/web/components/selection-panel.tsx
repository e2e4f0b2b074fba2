import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Button, Buttons } from './forms/button.tsx'
import { FieldDescription, fieldIdOf } from './forms/field-description.tsx'
import { Form, useRefusal, useSubmittedField } from './forms/form.tsx'

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

interface SelectionPanelProps {
  summary: string
  /** The form's name, and the id by which the checkboxes of the table refer to it. */
  form: string
  children: ComponentChildren
}

/** The form of the selected rows of a table. It is shown again with their names before anything is done. */
export const SelectionPanel = ({ summary, form, children }: SelectionPanelProps) => {
  const { all } = useSelection()
  return (
    <>
      {all.length > 0 && (
        <label class="select-all">
          <input type="checkbox" form={form} name="all" value={valuesOf(all)} /> Select all on this page ({all.length})
        </label>
      )}
      <details class="selection" open={useRefusal(form) !== null}>
        <summary>{summary}</summary>
        <Form name={form} id={form}>
          <Refusals />
          {children}
        </Form>
      </details>
    </>
  )
}

const words = { label: 'Selection', verb: 'Choose' } as const

const Refusals = () => <FieldDescription id={fieldIdOf('selected')} hint={null} messages={useSubmittedField('selected', words).messages} />

/** The button that continues, or the names of what is selected and the button that acts on them. */
export const ConfirmSelection = ({ children }: { children: string }) => {
  const { rows } = useSelection()
  const isAsked = useSubmittedField('confirmed', words).messages.length > 0
  if (!isAsked || rows.length === 0)
    return (
      <>
        {isAsked && <p class="wrong">What you selected is no longer on this page.</p>}
        <Buttons>
          <Button kind="second">Continue</Button>
        </Buttons>
      </>
    )
  return (
    <>
      <input type="hidden" name="confirmed" value={valuesOf(rows)} />
      <div class="selected" role="group" aria-label="Selected" tabIndex={-1} autofocus>
        <strong>{rows.length} selected:</strong>
        <ul>
          {rows.map(({ name }) => (
            <li>
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      </div>
      <Buttons>
        <Button kind="danger">{children}</Button>
      </Buttons>
    </>
  )
}
