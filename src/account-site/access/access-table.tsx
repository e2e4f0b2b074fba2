import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { Name } from '../../web/components/name.tsx'
import { ScopeSummary } from '../../web/components/scope-summary.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { AccessQuery } from '../generated/operations.ts'
import { defineTable } from '../table/declaration.ts'
import { accessKey, revokeAccess } from './revoke-access.tsx'

type Access = AccessQuery['team']['access']['nodes'][number]

const kinds: Record<Access['kind'], string> = { TEAM_TOKEN: 'Team token', PERSONAL_TOKEN: 'Personal token', APP: 'Connected app' }
const unusedMilliseconds = 90 * 86_400_000

/** Everything besides signed-in members that can access a team. */
export const accessTable = defineTable({
  noun: ['token or app', 'tokens and apps'],
  nameOf: ({ name }: Access) => name,
  search: 'Token or app',
  filters: { kind: { label: 'Kind', options: kinds }, person: { label: 'Person' } },
  columns: [
    { label: 'Name', phone: 'name', sort: 'NAME', cell: (access) => <Named access={access} /> },
    { label: 'Person', phone: 'state', sort: 'PERSON', cell: ({ personName }) => (personName === null ? '–' : <bdi>{personName}</bdi>) },
    { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> },
    {
      label: 'Last used',
      phone: 'labelled state',
      sort: 'LAST_USED',
      descendsFirst: true,
      cell: (access, { site }) => (
        <>
          <RelativeTime at={access.lastUsedAt} /> {isUnused(access, site.now()) && <Unused />}
        </>
      ),
    },
    {
      label: 'Expires',
      phone: 'detail',
      sort: 'EXPIRES',
      orders: ['soonest first', 'latest first'],
      cell: ({ expiresAt }) => <RelativeTime at={expiresAt} />,
    },
  ],
  sort: 'LAST_USED',
  isDescending: true,
  empty: 'No token or app has access to this team.',
  menu: (access, ctx) => (ctx.isAllowed(revokeAccess.requirements) ? <Revoke access={access} /> : null),
  selection: {
    form: 'revoke-access',
    valueOf: (access) => accessKey(access),
    isAllowed: (ctx) => ctx.isAllowed(revokeAccess.requirements),
  },
})

/** Whether it was not used for 90 days, counted from its creation if it never was. */
const isUnused = ({ lastUsedAt, createdAt }: Access, now: Date) => now.getTime() - Date.parse(lastUsedAt ?? createdAt) > unusedMilliseconds

const Unused = () => <span class="badge caution">Unused for 90 days</span>

const Named = ({ access: { kind, name, hint, isLimited } }: { access: Access }) => (
  <>
    <Name>{name}</Name>{' '}
    <span class="about">
      {kinds[kind]}
      {hint !== null && (
        <>
          {' '}
          <code>{hint}</code>
        </>
      )}
      {!isLimited && ', all their teams'}
    </span>
  </>
)

const warnings: Record<Access['kind'], string> = {
  TEAM_TOKEN: 'The token stops working permanently.',
  PERSONAL_TOKEN: 'The token loses access to this team. It keeps its other teams.',
  APP: 'The app loses access to this team until this person connects it again.',
}

/** Revokes this row alone, whatever is selected. */
const Revoke = ({ access }: { access: Access }) => (
  <ConfirmDialog
    summary="Revoke access…"
    objectName={access.name}
    form="revoke-access"
    hidden={{ only: accessKey(access) }}
    button="Revoke access"
  >
    {warnings[access.kind]}
  </ConfirmDialog>
)
