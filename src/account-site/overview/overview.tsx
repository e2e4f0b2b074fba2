import { ownTeamsPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import type { PageContext } from '../framework/page-context.ts'
import { OverviewDocument } from '../generated/operations.ts'
import { invoices } from '../invoices/invoices.tsx'
import { teamTokens } from '../tokens/token-lists.tsx'
import { Attention } from './attention.tsx'
import { MembersCard, OutstandingCard, TokensCard, TwoFactorCard } from './cards.tsx'
import { LatestInvoices } from './latest-invoices.tsx'
import { Products } from './products.tsx'
import { OwnRoleSection } from './role-section.tsx'
import { hideSetup, isSetupHidden, Setup } from './setup.tsx'
import { RelativeTime } from '../../web/components/time.tsx'
import { Actor } from '../audit/actor.tsx'
import { Sentence } from '../audit/sentence.tsx'
import type { OwnedTeam } from './cards.tsx'

/** Start page. Redirects to the team that the browser or the user opened last, or to the first team, or to the teams and invitations of the user. */
export const home = page({
  path: '/',
  title: 'Start',
  load: ({ currentTeam }) => (currentTeam ? `/teams/${currentTeam.team.slug}` : ownTeamsPath),
  view: () => null,
})

/** Remaining time below which a token counts as expiring soon. */
const soonMilliseconds = 14 * 86_400_000

const isOwner = (ctx: PageContext) => ctx.isAllowed(teamTokens.requirements)
const seesInvoices = (ctx: PageContext) => ctx.isAllowed(invoices.requirements)

/**
 * The start page of a team, by role. Everyone sees their products. Owners see the remaining set-up steps, what needs attention, members,
 * money, security, the latest invoices and activity. The billing role sees amounts due and the latest invoices. All but owners see their role,
 * and whom to ask.
 */
export const overview = page({
  path: '/teams/:team',
  title: 'Overview',
  nav: { group: 'overview', icon: 'home', order: 0, isForEveryone: true },
  document: OverviewDocument,
  variables: (ctx) => ({
    team: ctx.param('team'),
    soon: new Date(ctx.site.now().getTime() + soonMilliseconds).toISOString(),
    isOwner: isOwner(ctx),
    seesAccount: ctx.vouchingProviders === null,
    requiresSignIn: isOwner(ctx) && ctx.team?.team.signInProviderId != null,
    seesInvoices: seesInvoices(ctx),
  }),
  forms: { 'hide-setup': hideSetup },
  view: ({ viewer, owned, billed, used }, ctx) => (
    <>
      {viewer?.secondFactor && owned && !isSetupHidden(ctx) && <Setup team={owned} hasTwoFactor={viewer.secondFactor.isOn} ctx={ctx} />}
      <Attention path={ctx.path} team={owned ?? null} sums={billed?.invoices.sums ?? []} />
      <div class="overview">
        {owned && <MembersCard path={ctx.path} team={owned} />}
        {billed && <OutstandingCard path={ctx.path} sums={billed.invoices.sums} />}
        {owned && <TwoFactorCard path={ctx.path} team={owned} now={ctx.site.now()} />}
        {owned && <TokensCard path={ctx.path} team={owned} />}
      </div>
      {(!owned || used.apps.nodes.length > 0) && <Products apps={used.apps.nodes} ctx={ctx} />}
      {billed && (!owned || billed.invoices.nodes.length > 0) && <LatestInvoices path={ctx.path} invoices={billed.invoices.nodes} />}
      {owned && (
        <Activity path={ctx.path} entries={owned.auditEntries.nodes.filter(({ action }) => action !== 'SEND_TEST_EVENT').slice(0, 5)} />
      )}
      {used.owners && <OwnRoleSection owners={used.owners} ctx={ctx} />}
    </>
  ),
})

interface ActivityProps {
  /** Path of the team. */
  path: string
  entries: OwnedTeam['auditEntries']['nodes']
}

/** The latest changes to the team. Renders nothing if there are none. */
const Activity = ({ path, entries }: ActivityProps) =>
  entries.length === 0 ? null : (
    <section aria-labelledby="activity">
      <h2 id="activity">Recent activity</h2>
      <ul class="entries activity">
        {entries.map((entry) => (
          <li class="linked">
            <a href={`${path}/audit-trail/${entry.id}`}>
              <Actor entry={entry} /> <Sentence entry={entry} />
            </a>
            <RelativeTime at={entry.at} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`${path}/audit-trail`}>Audit log</a>
      </p>
    </section>
  )
