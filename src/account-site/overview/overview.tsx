import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { OverviewDocument } from '../generated/operations.ts'
import { invoices } from '../invoices/invoices.tsx'
import { teamTokens } from '../tokens/team-tokens.tsx'
import { Activity } from './activity.tsx'
import { MembersCard, OutstandingCard, TokensCard, TwoFactorCard } from './cards.tsx'
import { LatestInvoices } from './latest-invoices.tsx'
import { Products } from './products.tsx'
import { RoleSection } from './role-section.tsx'
import { hideSetup, isSetupHidden, Setup } from './setup.tsx'

/** When a token counts as one that expires soon. */
const soonMilliseconds = 14 * 86_400_000

const isOwner = (ctx: PageContext) => ctx.isAllowed(teamTokens.requirements)
const seesInvoices = (ctx: PageContext) => ctx.isAllowed(invoices.requirements)

/**
 * The start page of a team, by role. Owners: what is left to set up, then members, money, security and activity. Billing: what is due and
 * the latest invoices. All but owners: their products, their role, and whom to ask.
 */
export const overview = page({
  path: '/teams/:team',
  title: 'Overview',
  nav: { section: 'team', icon: 'home', order: 0, isForEveryone: true },
  document: OverviewDocument,
  variables: (ctx) => ({
    team: ctx.param('team'),
    soon: new Date(ctx.site.now().getTime() + soonMilliseconds).toISOString(),
    isOwner: isOwner(ctx),
    seesAccount: ctx.vouchingProviders === null,
    isBilling: seesInvoices(ctx) && !isOwner(ctx),
    seesInvoices: seesInvoices(ctx),
  }),
  forms: { 'hide-setup': hideSetup },
  view: ({ viewer, owned, billed, used }, ctx) => (
    <>
      {viewer?.secondFactor && owned && !isSetupHidden(ctx) && <Setup team={owned} hasTwoFactor={viewer.secondFactor.isOn} ctx={ctx} />}
      <div class="overview">
        {owned && <MembersCard path={ctx.path} team={owned} />}
        {billed && <OutstandingCard path={ctx.path} sums={billed.invoices.sums} />}
        {owned && <TwoFactorCard path={ctx.path} team={owned} now={ctx.site.now()} />}
        {owned && <TokensCard path={ctx.path} team={owned} />}
      </div>
      {owned && (
        <Activity path={ctx.path} entries={owned.auditEntries.nodes.filter(({ action }) => action !== 'SEND_TEST_EVENT').slice(0, 5)} />
      )}
      {billed?.invoices.nodes && <LatestInvoices path={ctx.path} invoices={billed.invoices.nodes} />}
      {used && <Products apps={used.apps.nodes} ctx={ctx} />}
      {used && <RoleSection owners={used.owners} ctx={ctx} />}
    </>
  ),
})
