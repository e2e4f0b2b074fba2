import { Address } from '../../web/components/address.tsx'
import { Day, RelativeTime } from '../../web/components/time.tsx'
import type { InvitationsQuery, InvitationStatus } from '../generated/operations.ts'
import { invitationStatusLabels } from '../labels.ts'
import { RoleBadge } from '../role-badge.tsx'
import { ProductAccess } from '../members/product-access.tsx'
import { defineTable } from '../table/declaration.ts'
import { InvitationActions } from './actions.tsx'
import { page } from '../framework/page.ts'
import { InvitationsDocument, NewInvitationsDocument } from '../generated/operations.ts'
import { readListVariables } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { resendInvitation, revoke, sendInvitations } from './forms.ts'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { FieldGroup } from '../../web/components/forms/field-group.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { TextArea } from '../../web/components/forms/field.tsx'
import { AccessFields } from '../members/app-access-fields.tsx'

type Invitation = InvitationsQuery['team']['invitations']['nodes'][number]

const kinds: Record<InvitationStatus, string> = { PENDING: 'info', ACCEPTED: 'good', DECLINED: '', REVOKED: '', EXPIRED: 'caution' }

/** All invitations to a team. */
const invitationsTable = defineTable({
  noun: ['invitation', 'invitations'],
  getName: ({ email }: Invitation) => email,
  search: 'Email address',
  filters: { status: { label: 'Status', options: invitationStatusLabels } },
  columns: [
    { label: 'Email address', phone: 'name', sort: 'EMAIL', cell: ({ email }) => <Address>{email}</Address> },
    { label: 'Role', phone: 'state', cell: ({ role }) => <RoleBadge role={role} /> },
    { label: 'Products', phone: 'detail', cell: ({ accessibleAppIds }) => <ProductAccess ids={accessibleAppIds} /> },
    {
      label: 'Status',
      phone: 'state',
      cell: ({ status, answeredAt, expiresAt }) => (
        <>
          <span class={`badge ${kinds[status]}`}>{invitationStatusLabels[status]}</span>{' '}
          <span class="about">
            {status === 'PENDING' ? (
              <>
                until <Day at={expiresAt} />
              </>
            ) : (
              <RelativeTime at={answeredAt ?? expiresAt} />
            )}
          </span>
        </>
      ),
    },
    {
      label: 'Sent',
      phone: 'detail',
      sort: 'SENT',
      descendsFirst: true,
      cell: ({ sentAt, isFromDirectory }) => (
        <>
          <Day at={sentAt} /> {isFromDirectory && <span class="badge">Invited by the directory</span>}
        </>
      ),
    },
  ],
  sort: 'SENT',
  isDescending: true,
  empty: 'Invite someone to work with you.',
  menu: ({ id, email, status, canBeResent }) =>
    canBeResent ? <InvitationActions id={id} email={email} canBeResent isPending={status === 'PENDING'} /> : null,
})

/** The invitations of a team. */
export const invitations = page({
  path: '/teams/:team/invitations',
  title: 'Invitations',
  nav: { group: 'people', icon: 'mail', order: 10 },
  document: InvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...readListVariables(invitationsTable, ctx.query) }),
  forms: { resend: resendInvitation, revoke },
  view: ({ team: { invitations } }, ctx) => (
    <DataTable
      table={invitationsTable}
      ctx={ctx}
      list={invitations}
      actions={
        <a class="button" href={`${ctx.path}/new`}>
          Invite people
        </a>
      }
    />
  ),
})

/** The form that invites people. The page queries the invitations, so that only users who can send one get the form. */
export const newInvitations = page({
  path: '/teams/:team/invitations/new',
  title: 'Invite people',
  parent: '/teams/:team/invitations',
  document: NewInvitationsDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  forms: { invite: sendInvitations },
  view: (_, ctx) => (
    <Form name="invite">
      <FieldGroup id="people" title="People" about="Each person gets an email with a link to join the team.">
        <TextArea
          name="emails"
          label="Email addresses"
          rows={3}
          hasFocus
          hint="One per line, or separated by commas. People who were already invited get a new link."
        />
      </FieldGroup>
      <FieldGroup
        id="access"
        title="Access"
        about="All invited people get this role and these products. You can change the access of each member later."
      >
        <AccessFields role="MEMBER" accessibleAppIds={null} />
      </FieldGroup>
      <Buttons>
        <Button>Send invitations</Button>
        <a class="button second" href={ctx.path.replace(/\/new$/, '')}>
          Cancel
        </a>
      </Buttons>
    </Form>
  ),
})
