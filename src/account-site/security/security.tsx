import type { ComponentChildren } from 'preact'
import { hasAddress } from '../../../schema/core/mails/placeholder-address.ts'
import { StrongAddress } from '../../web/components/address.tsx'
import { emailPath, identitiesPath, passkeysPath, securityPath, twoFactorPath } from '../../web/page-paths.ts'
import { counted } from '../labels.ts'
import { FailedSignInsCard } from './failed-sign-ins.tsx'
import { page } from '../framework/page.ts'
import { SecurityDocument } from '../generated/operations.ts'
import type { SecurityQuery } from '../generated/operations.ts'
import { AccountSupportSection, endAccountSupport, openAccountSupport } from './account-support.tsx'
import { sessionsPath } from './sessions.tsx'
import { devicesPath } from './trusted-devices.tsx'

/** The sign-in methods and the sessions of the user, with a page for each. */
export const security = page({
  path: securityPath,
  title: 'Sign-in and security',
  nav: { group: 'account', icon: 'lock', order: 20 },
  document: SecurityDocument,
  forms: { 'open-support': openAccountSupport, 'end-support': endAccountSupport },
  view: ({ viewer }, ctx) => (
    <>
      <Topics {...viewer} />
      {viewer.failedSignIns.length > 0 && <FailedSignInsCard failedSignIns={viewer.failedSignIns} />}
      <AccountSupportSection {...viewer} ctx={ctx} />
    </>
  ),
})

/** The sign-in methods and what is signed in, with a link to the page of each. */
const Topics = ({
  user,
  pendingEmail,
  secondFactor,
  passkeys,
  trustedDevices,
  externalIdentities,
  linkableProviders,
  sessions,
}: SecurityQuery['viewer']) => (
  <section>
    <ul class="entries topics">
      <Topic
        path={emailPath}
        title="Email address"
        state={user?.emailVerified ? 'Verified' : hasAddress(user?.email ?? '') ? 'Not verified' : 'None'}
        kind={user?.emailVerified ? 'good' : 'caution'}
      >
        <StrongAddress>{user?.email ?? ''}</StrongAddress>
        {pendingEmail !== null && (
          <>
            <br />
            Pending: <StrongAddress>{pendingEmail}</StrongAddress>
          </>
        )}
      </Topic>
      <Topic path="/account/password" title="Password">
        Choose a new password.
      </Topic>
      <Topic
        path={twoFactorPath}
        title="Two-factor authentication"
        state={secondFactor.isOn ? 'On' : 'Off'}
        kind={secondFactor.isOn ? 'good' : 'caution'}
      >
        {secondFactor.isOn
          ? `With ${secondFactor.methods.map((method) => methodNames[method]).join(' and ')}.`
          : 'Protects your account from people who know your password.'}
      </Topic>
      <Topic path={passkeysPath} title="Passkeys" state={counted(passkeys.length, 'passkey', 'passkeys')}>
        Sign in with your fingerprint, face or PIN instead of your password.
      </Topic>
      {(externalIdentities.length > 0 || linkableProviders.length > 0) && (
        <Topic path={identitiesPath} title="Linked accounts" state={counted(externalIdentities.length, 'account', 'accounts')}>
          Sign in through your account at another service.
        </Topic>
      )}
      <Topic path={sessionsPath} title="Sessions" state={counted(sessions.length, 'browser', 'browsers')}>
        {sessions.length === 1 ? 'You are signed in in this browser only.' : 'The browsers in which you are signed in.'}
      </Topic>
      <Topic path={devicesPath} title="Trusted devices" state={counted(trustedDevices.length, 'device', 'devices')}>
        Browsers in which you sign in without the second step.
        {secondFactor.isOn || ' They have no effect while two-factor authentication is off.'}
      </Topic>
    </ul>
  </section>
)

const methodNames = { TOTP: 'an authenticator app', PASSKEY: 'passkeys' } as const

interface TopicProps {
  path: string
  title: string
  /** The current setting, or the number of items. */
  state?: string
  kind?: 'good' | 'caution'
  children: ComponentChildren
}

const Topic = ({ path, title, state, kind, children }: TopicProps) => (
  <li>
    <div>
      <a href={path}>{title}</a>
      <p class="hint">{children}</p>
    </div>
    {state !== undefined && <span class={kind === undefined ? 'badge' : `badge ${kind}`}>{state}</span>}
  </li>
)
