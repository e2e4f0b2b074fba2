import { isolateName } from '../../../web/display-name.ts'
import { staffPath } from '../../../web/page-paths.ts'
import { page } from '../../framework/page.ts'
import { StaffUserDocument } from '../../generated/operations.ts'
import { FailedSignInsCard } from '../../security/failed-sign-ins.tsx'
import { LatestEntries } from '../latest-entries.tsx'
import { staffAuditWith } from '../staff-paths.ts'
import { userActs, UserActs } from './user-acts.tsx'
import { UserGrantsCard, UserTokensCard } from './user-credentials.tsx'
import { UserBadges, UserFacts } from './user-facts.tsx'
import { IdentitiesCard, PendingLinksCard, SessionsCard, TeamsCard } from './user-lists.tsx'

/** The state of an account, and what staff can do for its user. */
export const staffUser = page({
  path: `${staffPath}/users/:userId`,
  title: ({ staff: { account } }) => isolateName(account.user.name),
  badge: ({ staff: { account } }) => <UserBadges user={account.user} />,
  parent: staffPath,
  document: StaffUserDocument,
  variables: (ctx) => ({ id: ctx.param('userId') }),
  forms: userActs,
  view: ({ staff: { account } }, ctx) => (
    <>
      <UserFacts account={account} ctx={ctx} />
      <UserActs account={account} ctx={ctx} />
      <TeamsCard account={account} />
      <SessionsCard account={account} />
      <IdentitiesCard account={account} />
      <UserTokensCard account={account} ctx={ctx} />
      <UserGrantsCard account={account} ctx={ctx} />
      <PendingLinksCard account={account} />
      <FailedSignInsCard failedSignIns={account.failedSignIns} />
      <LatestEntries
        entries={account.activity}
        all={{ path: staffAuditWith({ user: account.user.userId }), label: 'Audit log of the user' }}
      />
    </>
  ),
})
