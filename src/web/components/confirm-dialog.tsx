import type { ComponentChildren } from 'preact'
import { Button, Buttons } from './forms/button.tsx'
import { Form, useRefusal } from './forms/form.tsx'

interface ConfirmDialogProps {
  /** Text that opens the dialog. */
  summary: string
  /** Name of the affected object, which screen readers add to the summary. It distinguishes the rows of a list. */
  objectName?: string
  /** The form's name among the forms of the page. */
  form: string
  hidden?: Record<string, string>
  button: string
  /** Fields by which the user confirms. A refused dialog is shown open, with the errors at its fields. */
  fields?: ComponentChildren
  /** Consequences of the action. */
  children: ComponentChildren
}

/** Requests confirmation for an action that cannot be undone. Works without JavaScript. */
export const ConfirmDialog = ({ summary, objectName, form, hidden, button, fields, children }: ConfirmDialogProps) => (
  <details class="confirm-dialog" open={useRefusal(form, hidden) !== null}>
    <summary>
      {summary}
      {objectName !== undefined && (
        <span class="visually-hidden">
          {' '}
          <bdi>{objectName}</bdi>
        </span>
      )}
    </summary>
    <Form name={form} hidden={hidden}>
      <p>{children}</p>
      {fields}
      <Buttons>
        <Button kind="danger">{button}</Button>
      </Buttons>
    </Form>
  </details>
)
