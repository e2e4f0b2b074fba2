import type { ComponentChildren } from 'preact'
import { z } from 'zod'
import { includesStaffRole, staffRoles } from '../../../../schema/core/staff/staff-role.ts'
import { isolateName } from '../../../web/display-name.ts'
import { text } from '../../framework/field-types.ts'
import { form } from '../../framework/form.ts'
import type { PageForm } from '../../framework/form.ts'
import {
  StaffDisableUserDocument,
  StaffEnableUserDocument,
  StaffEndSessionsDocument,
  StaffResendVerificationDocument,
  StaffResetSecondFactorDocument,
  StaffRevokeGrantDocument,
  StaffRevokeTokenDocument,
} from '../../generated/operations.ts'
import { Act, mayAct, reasonFields } from '../act.tsx'
import { isDisabled } from './user-part.ts'
import type { UserPart } from './user-part.ts'

const fields = z.object({ ...reasonFields, email: text })
const fieldsOfObject = z.object({ ...reasonFields, id: text })
const variables = <Input,>(input: Input) => ({ input })

/** What staff can do on the page of a user. The schema checks the role, and that the account is not their own or that of their equal. */
export const userActs = {
  'end-sessions': form({
    fields,
    document: StaffEndSessionsDocument,
    variables,
    notice: ({ endUserSessions: { user } }) => `The sessions of ${isolateName(user.name)} were ended.`,
  }),
  'resend-verification': form({
    fields,
    document: StaffResendVerificationDocument,
    variables,
    notice: ({ resendUserVerification: { user } }) => `A new link was sent to ${isolateName(user.email)}.`,
  }),
  'reset-second-factor': form({
    fields,
    document: StaffResetSecondFactorDocument,
    variables,
    notice: ({ resetSecondFactor: { user } }) => `Two-factor authentication of ${isolateName(user.name)} was turned off.`,
  }),
  disable: form({
    fields,
    document: StaffDisableUserDocument,
    variables,
    notice: ({ disableUser: { user } }) => `The account of ${isolateName(user.name)} was disabled.`,
  }),
  'revoke-token': form({
    fields: fieldsOfObject,
    document: StaffRevokeTokenDocument,
    variables,
    notice: 'The token was revoked.',
  }),
  'revoke-grant': form({
    fields: fieldsOfObject,
    document: StaffRevokeGrantDocument,
    variables,
    notice: 'The access of the app was revoked.',
  }),
  enable: form({
    fields,
    document: StaffEnableUserDocument,
    variables,
    notice: ({ enableUser: { user } }) => `The account of ${isolateName(user.name)} was enabled.`,
  }),
}

interface UserAct {
  form: keyof typeof userActs
  title: string
  button: string
  isHarmless?: boolean
  consequences: ComponentChildren
}

/** Lists the acts that change something in the current state of the account. */
function listActs({ user, secondFactor, sessionCount }: UserPart['account']): UserAct[] {
  const acts: (UserAct | false)[] = [
    sessionCount + secondFactor.trustedDevices > 0 && {
      form: 'end-sessions',
      title: 'End all sessions',
      button: 'End all sessions',
      consequences: 'The user has to sign in again in each browser, and no browser is a trusted device any more.',
    },
    !user.emailVerified && {
      form: 'resend-verification',
      title: 'Send a new verification email',
      button: 'Send the email',
      isHarmless: true,
      consequences: 'The user receives a new link that verifies the email address. The previous link stops working.',
    },
    secondFactor.isOn && {
      form: 'reset-second-factor',
      title: 'Turn off two-factor authentication',
      button: 'Turn off two-factor authentication',
      consequences:
        'Only do this if you are certain that the person who asks is the user. The password alone then signs in, until the user turns it on again.',
    },
    isDisabled(user) || user.deletionRequestedAt !== null
      ? {
          form: 'enable',
          title: user.deletionRequestedAt === null ? 'Enable the account' : 'Cancel the deletion',
          button: user.deletionRequestedAt === null ? 'Enable the account' : 'Cancel the deletion',
          isHarmless: true,
          consequences: 'The user can sign in again, and tokens that were not revoked work again.',
        }
      : {
          form: 'disable',
          title: 'Disable the account',
          button: 'Disable the account',
          consequences: 'The user cannot sign in, and all tokens and connected apps of the user stop working, until it is enabled again.',
        },
  ]
  return acts.filter((act) => act !== false)
}

/** Returns true if the schema lets staff act on the account: it is neither their own nor that of staff of the same or a higher role. */
export function isBelow({ account: { user }, ctx: { person } }: UserPart): boolean {
  if (!person || user.userId === person.user.id) return false
  const role = staffRoles.find((each) => each === user.staffRole?.toLowerCase())
  return role === undefined || !includesStaffRole(role, person.staffRole ?? 'reader')
}

/** The acts that the role of the user of the page includes. */
export function UserActs({ account, ctx }: UserPart) {
  const acts = listActs(account).filter((act) => mayAct(ctx, getForm(act)))
  if (acts.length === 0 || !isBelow({ account, ctx })) return null
  return (
    <section aria-labelledby="acts">
      <h2 id="acts">Help the user</h2>
      <ul class="entries">
        {acts.map((act) => (
          <li>
            <div>
              <strong>{act.title}</strong>
              <p class="hint">{act.consequences}</p>
            </div>
            <Act
              ctx={ctx}
              name={act.form}
              form={getForm(act)}
              hidden={{ email: account.user.email }}
              summary={`${act.button}…`}
              button={act.button}
              isHarmless={act.isHarmless ?? false}
              reasonHint="The user reads it, in an email and in the audit log."
            >
              {act.consequences}
            </Act>
          </li>
        ))}
      </ul>
    </section>
  )
}

const getForm = (act: UserAct): PageForm => userActs[act.form]
