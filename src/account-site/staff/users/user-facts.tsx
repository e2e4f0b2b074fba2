import { erasureAfter } from '../../../../schema/accounts/deletion/pending-deletion.ts'
import { hasAddress } from '../../../../schema/core/mails/placeholder-address.ts'
import { Address } from '../../../web/components/address.tsx'
import { Fact, Facts } from '../../../web/components/facts.tsx'
import { DateTime, Day, RelativeTime } from '../../../web/components/time.tsx'
import { accountPagesAt, accountPath } from '../../../web/page-paths.ts'
import { counted } from '../../labels.ts'
import { staffAuditWith, staffMailsTo } from '../staff-paths.ts'
import { SupportFact } from '../support-fact.tsx'
import { isDisabled } from './user-part.ts'
import type { StaffAccount, UserPart } from './user-part.ts'

export const staffRoleLabels = { READER: 'reader', SUPPORT: 'support', ADMIN: 'admin' } as const

/** What is unusual about an account. */
export const UserBadges = ({ user }: Pick<StaffAccount, 'user'>) => (
  <>
    {isDisabled(user) && <span class="badge alert">Disabled</span>}{' '}
    {user.deletionRequestedAt !== null && <span class="badge alert">Deletion requested</span>}{' '}
    {!user.emailVerified && <span class="badge caution">Unverified</span>}{' '}
    {user.staffRole !== null && <span class="badge info">Staff: {staffRoleLabels[user.staffRole]}</span>}
  </>
)

/** What an account is and has, with links to its emails and audit entries. */
export const UserFacts = ({ account }: UserPart) => {
  const { user, secondFactor, hasPassword, lastActiveAt, connectedAppCount, personalTokenCount } = account
  return (
    <section>
      <Obstacles account={account} />
      <Facts>
        <Fact name="Email address">
          <Address>{user.email}</Address>
          <span class="about">{user.emailVerified ? 'Verified' : 'Not verified'}</span>
        </Fact>
        <Fact name="Created">
          <Day at={user.createdAt} />
        </Fact>
        <Fact name="Last active">
          <RelativeTime at={lastActiveAt} />
        </Fact>
        <Fact name="Password">{hasPassword ? 'Set' : 'None'}</Fact>
        <Fact name="Two-factor authentication">{secondFactor.isOn ? 'On' : 'Off'}</Fact>
        <Fact name="Authenticator app">
          {!secondFactor.hasTotp ? (
            'None'
          ) : secondFactor.totpSince === null ? (
            'Added'
          ) : (
            <>
              Since <Day at={secondFactor.totpSince} />
            </>
          )}
        </Fact>
        <Fact name="Passkeys">{secondFactor.passkeys.toLocaleString('en')}</Fact>
        <Fact name="Recovery codes left">{secondFactor.recoveryCodesLeft.toLocaleString('en')}</Fact>
        <Fact name="Trusted devices">{secondFactor.trustedDevices.toLocaleString('en')}</Fact>
        <Fact name="Personal tokens">{personalTokenCount.toLocaleString('en')}</Fact>
        <Fact name="Connected apps">{connectedAppCount.toLocaleString('en')}</Fact>
        <SupportFact session={account.supportSession} path={`${accountPagesAt(user.userId)}${accountPath}`} />
        <Fact name="User ID">
          <code>{user.userId}</code>
        </Fact>
      </Facts>
      <p>
        <a href={staffMailsTo(user.userId)}>Emails to the user</a>
      </p>
      <p>
        <a href={staffAuditWith({ subject: user.userId })}>Audit log about the user</a>
      </p>
    </section>
  )
}

const stepLabels: Record<StaffAccount['failedAttempts'][number]['step'], string> = {
  FIRST: 'with the password or an emailed code',
  SECOND_FACTOR: 'with the code or passkey of two-factor authentication',
}

/** Why the user may be unable to sign in or to receive emails. */
function Obstacles({ account }: { account: StaffAccount }) {
  const { user, hasPassword, secondFactor, identities, failedAttempts } = account
  const obstacles = [
    isDisabled(user) && (
      <>
        The account was disabled on <DateTime at={user.disabledAt} />. All its credentials are refused.
      </>
    ),
    user.deletionRequestedAt !== null && (
      <>
        The user deleted the account. It is erased after <DateTime at={erasureAfter(new Date(user.deletionRequestedAt))} />.
        {!isDisabled(user) && ' Until then, signing in restores it.'}
      </>
    ),
    !hasAddress(user.email) && 'The account has no email address.',
    hasAddress(user.email) && !user.emailVerified && 'The email address is not verified, so that notices are not sent to it.',
    !hasPassword &&
      secondFactor.passkeys === 0 &&
      identities.length === 0 &&
      'There is no password, passkey or linked account. The user can set a password with “Forgot your password?”.',
    ...failedAttempts.map(({ step, attempts, endsAt }) => (
      <>
        {counted(attempts, 'attempt', 'attempts')} {stepLabels[step]} failed in unknown browsers. Beyond the limit, further attempts are
        refused until <DateTime at={endsAt} />.
      </>
    )),
  ].filter((obstacle) => obstacle !== false)
  if (obstacles.length === 0) return <p>Nothing in the account prevents a sign-in.</p>
  return obstacles.map((obstacle) => <p class="caution">{obstacle}</p>)
}
