import { selectionScript } from '../../web/components/lists/selection-panel.tsx'
import { page } from '../framework/page.ts'
import { AccessDocument } from '../generated/operations.ts'
import { readListVariables } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { describeRevocation, RevokeSelected, revokeAccess, accessKey } from './revoke-access.tsx'
import { Avatar } from '../../web/components/avatar.tsx'
import { ConfirmDialog } from '../../web/components/confirm-dialog.tsx'
import { mayChange, ScopeSummary } from '../../web/components/scope-list.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import type { AccessPartsFragment, TeamAccessOrderField } from '../generated/operations.ts'
import type { PageContext } from '../framework/page-context.ts'
import { defineTable } from '../table/declaration.ts'
import type { Column } from '../table/declaration.ts'
import { expiresSoon } from '../tokens/token-status.tsx'

/** Everything besides signed-in members that can access the team: team tokens, personal tokens, connected apps and workload identities. */
export const access = page({
  path: '/teams/:team/access',
  title: 'Access',
  nav: { group: 'people', icon: 'eye', order: 20 },
  document: AccessDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...readListVariables(accessTable, ctx.query) }),
  scripts: [selectionScript],
  forms: { 'revoke-access': revokeAccess },
  view: ({ team }, ctx) => (
    <>
      <p>
        These tokens, apps and workload identities have access to the team, in addition to its members. Revoking access takes effect
        immediately.
      </p>
      <DataTable table={accessTable} ctx={ctx} list={team.access}>
        {ctx.isAllowed(revokeAccess.requirements) && <RevokeSelected />}
      </DataTable>
    </>
  ),
})

type Access = AccessPartsFragment

const kinds: Record<Access['kind'], string> = {
  TEAM_TOKEN: 'Team token',
  PERSONAL_TOKEN: 'Personal token',
  APP: 'Connected app',
  CLIENT: 'Team app',
  WORKLOAD_IDENTITY: 'Workload identity',
}
/** Kinds that belong to the team and not to their creator, who may have left. */
const ofTeam: ReadonlySet<Access['kind']> = new Set(['TEAM_TOKEN', 'CLIENT', 'WORKLOAD_IDENTITY'])
const unusedMilliseconds = 90 * 86_400_000

type AccessColumn = Column<Access, TeamAccessOrderField>
const name: AccessColumn = { label: 'Name', phone: 'name', cell: (access, ctx) => <Named access={access} ctx={ctx} /> }
const permissions: AccessColumn = { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> }
const lastUsed: AccessColumn = {
  label: 'Last used',
  phone: 'labelled state',
  cell: (access, { site }) => {
    const isIdle = isUnused(access, site.now())
    if (access.lastUsedAt === null) return <span class={isIdle ? 'badge caution' : 'badge'}>Never used</span>
    return (
      <>
        <RelativeTime at={access.lastUsedAt} /> {isIdle && <span class="badge caution">Unused for 90 days</span>}
      </>
    )
  },
}
const expires: AccessColumn = {
  label: 'Expires',
  phone: 'detail',
  cell: ({ expiresAt }, { site }) => (
    <>
      <RelativeTime at={expiresAt} />{' '}
      {expiresSoon({ expiresAt, revokedAt: null }, site.now()) && <span class="badge caution">Expires soon</span>}
    </>
  ),
}

const person: AccessColumn = { label: 'Person', phone: 'state', cell: (access, ctx) => <Person access={access} ctx={ctx} /> }
/** The columns that tables of access share. */
export const accessColumns = { person, permissions, lastUsed }

const mayRevoke = (ctx: PageContext) => ctx.isAllowed(revokeAccess.requirements)

/** The menu of a row in tables of access. */
export const accessMenu = (access: Access, ctx: PageContext) => (mayRevoke(ctx) ? <Revoke access={access} /> : null)

/** Everything besides signed-in members that can access a team. */
const accessTable = defineTable({
  noun: ['token or app', 'tokens and apps'],
  getName: ({ name }: Access) => name,
  search: 'Token or app',
  filters: { kind: { label: 'Kind', options: kinds }, person: { label: 'Person' } },
  columns: [
    { ...name, sort: 'NAME' },
    { ...person, sort: 'PERSON' },
    permissions,
    { ...lastUsed, phone: 'state', sort: 'LAST_USED', descendsFirst: true },
    { ...expires, sort: 'EXPIRES', orders: ['soonest first', 'latest first'] },
  ],
  sort: 'LAST_USED',
  isDescending: true,
  empty: 'No token or app has access to this team.',
  menu: accessMenu,
  selection: {
    form: 'revoke-access',
    getValue: (access) => accessKey(access),
    isAllowed: mayRevoke,
  },
})

/** The table of what a member's access consists of, on the page of the member. */
export const accessOfMember = defineTable({
  noun: ['token or app', 'tokens and apps'],
  getName: ({ name }: Access) => name,
  filters: {},
  columns: [name, permissions, lastUsed, expires],
  sort: 'LAST_USED',
  empty: 'None',
  menu: accessMenu,
})

/** A link to the page of the member for whom this access acts. */
const Person = ({ access: { kind, person }, ctx }: { access: Access; ctx: PageContext }) => {
  if (person === null) return <span class="default">{withoutPerson[kind] ?? '–'}</span>
  const name = <bdi>{person.name}</bdi>
  return (
    <span class="who">
      <Avatar of="person" size="small" name={person.name} picture={person.pictureUrl} />{' '}
      {ofTeam.has(kind) ? name : <a href={getMemberPath(ctx, person)}>{name}</a>}
    </span>
  )
}

const getMemberPath = (ctx: PageContext, { userId }: { userId: string }) => `/teams/${ctx.param('team')}/members/${userId}`

/** Why no user is known who created it: an import, the command line, or an account that was deleted since. */
const withoutPerson: Partial<Record<Access['kind'], string>> = {
  TEAM_TOKEN: 'Imported, or deleted account',
  WORKLOAD_IDENTITY: 'Operator, or deleted account',
}

/** Returns the path of the page of a token, an app or an identity of the team, or of the member for whom the access acts. */
function getPage({ tokenId, clientId, identityId, kind, person }: Access, ctx: PageContext): string | null {
  const team = `/teams/${ctx.param('team')}`
  if (kind === 'TEAM_TOKEN') return `${team}/tokens/${tokenId}`
  if (kind === 'CLIENT') return `${team}/developers/${clientId}`
  if (kind === 'WORKLOAD_IDENTITY') return `${team}/identities/${identityId}`
  return person && getMemberPath(ctx, person)
}

/** The name of the access, as a link to its page. The page of a member does not link to itself. */
const Title = ({ access, ctx }: { access: Access; ctx: PageContext }) => {
  const name = <bdi>{access.name}</bdi>
  const path = getPage(access, ctx)
  return path === null || path === ctx.path ? name : <a href={path}>{name}</a>
}

/** Returns true if the access was not used for 90 days, counted from its creation if it was never used. */
const isUnused = ({ lastUsedAt, createdAt }: Access, now: Date) => now.getTime() - Date.parse(lastUsedAt ?? createdAt) > unusedMilliseconds

const Named = ({ access, access: { kind, hint, providerName, isLimited }, ctx }: { access: Access; ctx: PageContext }) => (
  <span class="named">
    <Title access={access} ctx={ctx} /> {access.scopes.some(mayChange) && <span class="narrow badge caution">Write access</span>}{' '}
    <span class="about">
      {kinds[kind]}
      {hint !== null && (
        <>
          {' '}
          <code>{hint}</code>
        </>
      )}
      {!isLimited && ', all their teams'}
      {providerName !== null && (
        <>
          , given by <bdi>{providerName}</bdi>
        </>
      )}
    </span>
  </span>
)

/** A button that revokes only this row, whatever is selected. */
const Revoke = ({ access }: { access: Access }) => (
  <ConfirmDialog
    summary="Revoke access…"
    objectName={access.name}
    form="revoke-access"
    hidden={{ only: accessKey(access) }}
    button="Revoke access"
  >
    {describeRevocation(access)}
  </ConfirmDialog>
)
