import type { ComponentChildren } from 'preact'
import { FieldDescription, fieldIdOf } from './forms/field-description.tsx'
import { Form, useRefusal, useSubmittedField } from './forms/form.tsx'

interface SelectionPanelProps {
  summary: string
  /** The form's name, and the id by which the checkboxes of the table refer to it. */
  form: string
  /** Name of the checkboxes, whose refusals are shown here. */
  field: string
  children: ComponentChildren
}

/** The form of the selected rows of a table, which opens to ask for confirmation. */
export const SelectionPanel = ({ summary, form, field, children }: SelectionPanelProps) => (
  <details class="confirm-dialog selection" open={useRefusal(form) !== null}>
    <summary>{summary}</summary>
    <Form name={form} id={form}>
      <Refusals field={field} />
      {children}
    </Form>
  </details>
)

const Refusals = ({ field }: { field: string }) => (
  <FieldDescription
    id={fieldIdOf(field)}
    hint={null}
    messages={useSubmittedField(field, { label: 'Selection', verb: 'Choose' }).messages}
  />
)
