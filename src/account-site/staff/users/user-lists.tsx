import { Address, Name } from '../../../web/components/address.tsx'
import { ListCard } from '../../../web/components/lists/list-card.tsx'
import { DateTime, Day, RelativeTime } from '../../../web/components/time.tsx'
import { IdentityDetails } from '../../security/identity-details.tsx'
import { RoleBadge } from '../../role-badge.tsx'
import { staffTeamAt } from '../staff-paths.ts'
import type { StaffAccount } from './user-part.ts'

type Account = Pick<StaffAccount, 'memberships' | 'membershipCount' | 'sessions' | 'sessionCount' | 'identities' | 'pendingLinks'>

export const TeamsCard = ({ account: { memberships, membershipCount } }: { account: Account }) => (
  <ListCard id="teams" total={membershipCount} noun={['team', 'teams']} empty="The user is not a member of a team.">
    {memberships.map(({ team, role, joinedAt }) => (
      <li class="linked">
        <div>
          <a href={staffTeamAt(team.slug)}>
            <Name>{team.name}</Name>
          </a>
          <p class="hint">
            Member since <Day at={joinedAt} />
          </p>
        </div>
        <RoleBadge role={role} />
      </li>
    ))}
    <Rest count={membershipCount - memberships.length} />
  </ListCard>
)

/** By the names of RFC 8176. */
const methodLabels: Readonly<Record<string, string>> = { pwd: 'password', otp: 'code', hwk: 'passkey' }

const formatMethods = ({ methods, providers }: StaffAccount['sessions'][number]) =>
  [...methods.map((method) => methodLabels[method] ?? method), ...providers.map((name) => `the provider ${name}`)].join(' and ') ||
  'a linked account'

export const SessionsCard = ({ account: { sessions, sessionCount } }: { account: Account }) => (
  <ListCard id="sessions" total={sessionCount} noun={['session', 'sessions']} empty="The user is not signed in in any browser.">
    {sessions.map((session) => (
      <li>
        <div>
          <strong>{session.device}</strong>
          <p class="hint">
            Last used <RelativeTime at={session.lastUsedAt} />, signed in on <Day at={session.createdAt} /> with{' '}
            <bdi>{formatMethods(session)}</bdi>
          </p>
        </div>
        <span>
          {session.provedTwoFactor && <span class="badge good">Two factors</span>}{' '}
          {!session.ownProof && <span class="badge caution">Provider only</span>}
        </span>
      </li>
    ))}
    <Rest count={sessionCount - sessions.length} />
  </ListCard>
)

export const IdentitiesCard = ({ account: { identities } }: { account: Account }) => (
  <ListCard
    id="identities"
    total={identities.length}
    noun={['linked account', 'linked accounts']}
    empty="The user has not linked an account at an identity provider."
  >
    {identities.map((identity) => (
      <li>
        <IdentityDetails {...identity} />
      </li>
    ))}
  </ListCard>
)

const linkLabels: Record<StaffAccount['pendingLinks'][number]['kind'], string> = {
  VERIFY_EMAIL: 'Verification of the email address',
  CHANGE_EMAIL: 'Change of the email address',
  RESET_PASSWORD: 'New password',
  PROVE_ACCOUNT: 'Proof of the account',
  SIGN_IN: 'Sign-in with a code',
}

/** The links and codes that were emailed and that the user has not used yet. */
export const PendingLinksCard = ({ account: { pendingLinks } }: { account: Account }) => (
  <ListCard
    id="links"
    total={pendingLinks.length}
    noun={['unused link in an email', 'unused links in emails']}
    empty="The user is not expected to open a link in an email."
  >
    {pendingLinks.map(({ kind, email, expiresAt }) => (
      <li>
        <div>
          <strong>{linkLabels[kind]}</strong>
          <p class="hint">
            Sent to <Address>{email}</Address>, expires on <DateTime at={expiresAt} />
          </p>
        </div>
      </li>
    ))}
  </ListCard>
)

export const Rest = ({ count }: { count: number }) => (count > 0 ? <li>{`and ${count.toLocaleString('en')} more`}</li> : null)
