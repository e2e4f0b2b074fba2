import { selectionScript } from '../../web/components/selection-panel.tsx'
import { page } from '../framework/page.ts'
import { AccessDocument } from '../generated/operations.ts'
import { variablesOf } from '../table/address.ts'
import { DataTable } from '../table/data-table.tsx'
import { accessTable } from './access-table.tsx'
import { RevokeSelected, revokeAccess } from './revoke-access.tsx'

/** Everything besides signed-in members that can access the team: team tokens, personal tokens, connected apps and workload identities. */
export const access = page({
  path: '/teams/:team/access',
  title: 'Access',
  nav: { section: 'team', icon: 'eye', order: 70 },
  document: AccessDocument,
  variables: (ctx) => ({ team: ctx.param('team'), ...variablesOf(accessTable, ctx.query) }),
  scripts: [selectionScript],
  forms: { 'revoke-access': revokeAccess },
  view: ({ team }, ctx) => (
    <>
      <p>
        Besides its members, these tokens, apps and workload identities have access to the team. Revoking access takes effect immediately.
      </p>
      <DataTable table={accessTable} ctx={ctx} list={team.access}>
        {ctx.isAllowed(revokeAccess.requirements) && <RevokeSelected />}
      </DataTable>
    </>
  ),
})
