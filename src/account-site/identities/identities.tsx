import { maxIdentities } from '../../../schema/workload-identities/rules.ts'
import { findPreset } from '../../../schema/workload-identities/presets.ts'
import { ScopeSummary } from '../../web/components/scope-list.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { page } from '../framework/page.ts'
import { WorkloadIdentitiesDocument } from '../generated/operations.ts'
import type { IdentityPartsFragment } from '../generated/operations.ts'
import { DataTable } from '../table/data-table.tsx'
import { defineTable } from '../table/declaration.ts'

type Identity = IdentityPartsFragment

export const workloadIdentitiesPath = '/teams/:team/identities'

/** Returns the name of an issuer's provider, or the host of the issuer. */
export const getProviderName = ({ issuer }: Pick<Identity, 'issuer'>): string =>
  findPreset(issuer)?.label ?? URL.parse(issuer)?.host ?? issuer

const table = defineTable({
  noun: ['workload identity', 'workload identities'],
  getName: ({ name }: Identity) => name,
  filters: {},
  columns: [
    {
      label: 'Name',
      phone: 'name',
      cell: ({ identityId, name, issuer }, { path }) => (
        <span class="named">
          <a href={`${path}/${identityId}`}>
            <bdi>{name}</bdi>
          </a>{' '}
          <span class="about">{getProviderName({ issuer })}</span>
        </span>
      ),
    },
    { label: 'Permissions', phone: 'detail', cell: ({ scopes }) => <ScopeSummary scopes={scopes} /> },
    {
      label: 'Last used',
      phone: 'labelled state',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? <span class="badge">Never used</span> : <RelativeTime at={lastUsedAt} />),
    },
  ],
  sort: 'CREATED',
  empty: 'Create an identity to let jobs of GitHub Actions, GitLab CI or another provider call the API without a stored secret.',
})

/** The workload identities of a team. */
export const identities = page({
  path: workloadIdentitiesPath,
  title: 'Workload identities',
  nav: { group: 'developers', icon: 'chip', order: 20 },
  document: WorkloadIdentitiesDocument,
  variables: (ctx) => ({ team: ctx.param('team') }),
  view: ({ team: { workloadIdentities: nodes } }, ctx) => (
    <>
      <p>
        A CI job exchanges the ID token that its provider issues for an access token of the team, which is valid for 15 minutes. You do not
        need to store a secret with the provider.
      </p>
      <DataTable
        table={table}
        ctx={ctx}
        list={{ nodes, total: nodes.length, page: 1, lastPage: 1 }}
        actions={
          nodes.length >= maxIdentities ? (
            <span class="hint">A team can have {maxIdentities} workload identities. Delete one to create another.</span>
          ) : (
            <a class="button" href={`${ctx.path}/new`}>
              New workload identity
            </a>
          )
        }
      />
    </>
  ),
})
