import { isolateName } from '../../../web/display-name.ts'
import { staffPath } from '../../../web/page-paths.ts'
import { page } from '../../framework/page.ts'
import { StaffTeamDocument } from '../../generated/operations.ts'
import { readListVariables } from '../../table/address.ts'
import { DataTable } from '../../table/data-table.tsx'
import { AppsCard, InvitationsCard, WebhooksCard } from './team-cards.tsx'
import { DomainsCard, ProvidersCard } from './sign-in-cards.tsx'
import { LatestEntries } from '../latest-entries.tsx'
import { staffAuditWith } from '../staff-paths.ts'
import { TeamFacts, TeamStateBadge } from './team-facts.tsx'
import { staffMembersTable } from './staff-members-table.tsx'
import { teamActs } from './team-acts.ts'

/** The state of a team, deleted or not, and what staff can do for it. */
export const staffTeam = page({
  path: `${staffPath}/teams/:slug`,
  title: ({ staff: { teamState } }) => isolateName(teamState.team.name),
  badge: ({ staff: { teamState } }) => <TeamStateBadge state={teamState} />,
  parent: staffPath,
  document: StaffTeamDocument,
  variables: (ctx) => ({ slug: ctx.param('slug'), ...readListVariables(staffMembersTable, ctx.query) }),
  forms: teamActs,
  view({ staff: { teamState: state } }, ctx) {
    const { members } = state.team
    return (
      <>
        <TeamFacts state={state} ctx={ctx} />
        <ProvidersCard state={state} ctx={ctx} />
        {state.domains.length > 0 && <DomainsCard domains={state.domains} />}
        <WebhooksCard state={state} ctx={ctx} />
        <AppsCard clients={state.clients} />
        <InvitationsCard state={state} ctx={ctx} />
        <DataTable table={staffMembersTable} ctx={ctx} list={members} />
        <LatestEntries
          entries={state.latestEntries}
          all={{ path: staffAuditWith({ team: state.team.slug }), label: 'Audit log of the team' }}
        />
      </>
    )
  },
})
