import { invoices } from '../invoices/invoices.tsx'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { OverviewDocument } from '../generated/operations.ts'
import { teamTokens } from '../tokens/team-tokens.tsx'
import { ActivityCard, InvoicesCards, MembersCard, TokensCard } from './cards.tsx'
import { NextSteps } from './next-steps.tsx'

/** When a token counts as one that expires soon. */
const soonMilliseconds = 14 * 86_400_000

const isOwner = (ctx: PageContext) => ctx.isAllowed(teamTokens.requirements)

/** The start page of a team: what needs attention. Each card is shown to those who can open the page behind it. */
export const overview = page({
  path: '/teams/:team',
  title: (_, { team }) => team?.team.name ?? 'Overview',
  nav: { section: 'team', label: 'Overview', icon: 'home', order: 0, isForEveryone: true },
  document: OverviewDocument,
  variables: (ctx) => ({
    team: ctx.param('team'),
    soon: new Date(ctx.site.now().getTime() + soonMilliseconds).toISOString(),
    isOwner: isOwner(ctx),
    seesInvoices: ctx.isAllowed(invoices.requirements),
  }),
  view: ({ team: { members, invited, tokens, expiring, auditEntries, invoices } }, ctx) => (
    <>
      {isOwner(ctx) && <NextSteps path={ctx.path} hasOthers={members.total + (invited?.total ?? 0) > 1} hasToken={tokens?.total !== 0} />}
      <div class="overview">
        <MembersCard path={ctx.path} members={members.total} invited={invited?.total ?? 0} />
        {tokens && expiring && <TokensCard path={ctx.path} total={tokens.total} expiring={expiring} />}
        {invoices && <InvoicesCards path={ctx.path} sums={invoices.sums} />}
      </div>
      {auditEntries && <ActivityCard path={ctx.path} entries={auditEntries.nodes} />}
    </>
  ),
})
