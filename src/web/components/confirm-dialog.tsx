import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { Button, Buttons } from './forms/button.tsx'
import { Form, usePageForms, useRefusal } from './forms/form.tsx'
import { Name } from './address.tsx'

// A page declares an action with consequences once, where its link is. The link leads to the same page with a parameter, which makes the
// page show only the confirmation, as after a refusal. With JavaScript, the confirmation appears as a dialog. It is not rendered with the
// link, because in a list of 50 rows the confirmations would be half of the page. See docs/decisions/pages.md#confirmations.

/** Opens confirmations as dialogs. */
export const dialogScript = 'dialogs.js'

/** Query parameter that requests a confirmation. */
export const confirmParameter = 'confirm'

interface ConfirmDialogProps {
  /** Text of the link. */
  summary: string
  /** Name of the affected object, unless the consequences contain it. Screen readers add it to the link, to distinguish the rows of a list. */
  objectName?: string
  /** The form's name among the forms of the page. */
  form: string
  hidden?: Record<string, string>
  /** Label of the button. It names the action, so that it is clear without the text around it. */
  button: string
  /** True if the action removes nothing, so that it is not styled as dangerous. */
  isHarmless?: boolean
  /** Fields by which the user confirms. */
  fields?: ComponentChildren
  /** Consequences of the action. */
  children: ComponentChildren
}

/** The confirmation that a page shows in place of its content. Rendering the page finds it. */
export interface PageConfirmation {
  /** Name of the confirmation in the address of the page. */
  requested: string | null
  dialog: ConfirmDialogProps | null
}

export const ConfirmationContext = createContext<PageConfirmation | null>(null)

/** Returns the title of a confirmation. */
export const formatQuestion = ({ button }: ConfirmDialogProps) => `${button}?`

/** The link to an action that cannot be undone. It requests the confirmation. */
export const ConfirmDialog = (props: ConfirmDialogProps) => {
  const { summary, objectName, form, hidden = {}, isHarmless = false } = props
  const page = useContext(ConfirmationContext)
  const key = [form, ...Object.values(hidden)].join(':')
  const isRefused = useRefusal(form, hidden) !== null
  if (page && (isRefused || key === page.requested)) page.dialog = props
  const [, query] = usePageForms(form).action.split('?')
  return (
    <a
      class={isHarmless ? 'confirm harmless' : 'confirm'}
      href={`?${query === undefined ? '' : `${query}&`}${confirmParameter}=${encodeURIComponent(key)}`}
    >
      {summary}
      {objectName !== undefined && (
        <span class="visually-hidden">
          {' '}
          <bdi>{objectName}</bdi>
        </span>
      )}
    </a>
  )
}

/** A confirmation as the content of a page. */
export const ConfirmationPage = ({ objectName, form, hidden, button, isHarmless = false, fields, children }: ConfirmDialogProps) => (
  <section class="confirmation">
    <Form name={form} hidden={hidden}>
      {objectName !== undefined && (
        <p>
          <Name>{objectName}</Name>
        </p>
      )}
      <p>{children}</p>
      {fields}
      <Buttons>
        <Button kind={isHarmless ? undefined : 'danger'}>{button}</Button>
        <a class="button second cancel" href={usePageForms(form).action}>
          Cancel
        </a>
      </Buttons>
    </Form>
  </section>
)
