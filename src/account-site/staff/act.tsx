import type { ComponentChildren } from 'preact'
import { includesStaffRole } from '../../../schema/core/staff/staff-role.ts'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { TextArea } from '../../web/components/forms/field.tsx'
import { text } from '../framework/field-types.ts'
import type { PageForm } from '../framework/form.ts'
import type { PageContext } from '../framework/page-context.ts'

// Acts of staff on their pages (docs/decisions/staff.md#acts): each is a confirmation with a field for its reason.

/** The field of the reason, for the fields of the form of an act. */
export const reasonFields = { reason: text }

/** Returns true if the role of the user includes the act. A page does not offer it for the account and the teams of the user. */
export const mayAct = ({ person }: PageContext, { requirements }: PageForm): boolean =>
  requirements.every(({ staffRole }) => staffRole !== undefined && includesStaffRole(person?.staffRole ?? null, staffRole))

interface ActProps {
  ctx: PageContext
  /** The form's name among the forms of the page, and the form. Its fields contain `reasonFields`. */
  name: string
  form: PageForm
  hidden?: Record<string, string>
  /** Name of the object, if the page has several such links. */
  objectName?: string
  /** Text of the link. */
  summary: string
  /** Label of the button. */
  button: string
  /** True if the act removes nothing. */
  isHarmless?: boolean
  /** Who reads the reason. Default: the users concerned. */
  reasonHint?: string
  /** Consequences of the act. */
  children: ComponentChildren
}

/** The link to an act, for users whose role includes it. */
export const Act = ({ ctx, name, form, reasonHint = 'The users concerned read it.', ...dialog }: ActProps) =>
  mayAct(ctx, form) && (
    <ConfirmDialog {...dialog} form={name} fields={<TextArea name="reason" label="Reason" hint={reasonHint} rows={3} hasFocus />} />
  )
