import { countedMails } from '../../../../schema/staff/mails/read-mails.ts'
import { Address } from '../../../web/components/address.tsx'
import { RelativeTime } from '../../../web/components/time.tsx'
import { staffMailsPath } from '../staff-paths.ts'
import type { PageContext } from '../../framework/page-context.ts'
import { page } from '../../framework/page.ts'
import { StaffMailsDocument } from '../../generated/operations.ts'
import type { StaffMailsQuery } from '../../generated/operations.ts'
import { readListVariables, rowAddress } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { defineTable } from '../../table/declaration.ts'
import { formatMailKind, MailStateBadge, mailStateLabels } from './mail-state.tsx'

type StaffMail = StaffMailsQuery['staff']['mails']['nodes'][number]

const mailsTable = defineTable({
  noun: ['email', 'emails'],
  getName: ({ kind, recipient }: StaffMail) => `${formatMailKind(kind)}, ${recipient ?? 'without a recipient'}`,
  search: 'Whole email address or user ID',
  filters: {
    state: { label: 'Status', options: mailStateLabels },
    user: { label: 'User ID', isFromLink: true },
  },
  columns: [
    {
      label: 'Recipient',
      phone: 'name',
      cell: ({ id, recipient }, ctx) => (
        <a class="entry" href={rowAddress(ctx, id)}>
          {recipient === null ? 'No recipient' : <Address>{recipient}</Address>}
        </a>
      ),
    },
    { label: 'Email', phone: 'detail', cell: ({ kind }) => formatMailKind(kind) },
    { label: 'Status', phone: 'state', cell: ({ state }) => <MailStateBadge state={state} /> },
    { label: 'Attempts', phone: 'detail', kind: 'amount', cell: ({ attempts }) => attempts.toLocaleString('en') },
    { label: 'Requested', phone: 'labelled state', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ],
  sort: 'created',
  isDescending: true,
  empty: 'No emails in the last two weeks.',
})

/** Returns the variables of the list that match the address. */
function mailsVariables({ query }: PageContext) {
  const { state, user, search, page, perPage } = readListVariables(mailsTable, query)
  return { state, search: user ?? search, page, perPage }
}

/** The emails of the outbox, newest first, without their content. */
export const staffMails = page({
  path: staffMailsPath,
  title: 'Emails',
  nav: { group: 'staff', icon: 'outbox', order: 30 },
  document: StaffMailsDocument,
  variables: mailsVariables,
  view: ({ staff: { mails } }, ctx) => (
    <DataTable
      table={mailsTable}
      ctx={ctx}
      list={mails}
      {...(mails.total === countedMails && { count: `The latest ${countedMails.toLocaleString('en')} emails` })}
    />
  ),
})
