import type { ComponentChildren } from 'preact'
import { StrongAddress } from '../../web/components/address.tsx'
import { emailPath, passkeysPath, securityPath, twoFactorPath } from '../../web/page-paths.ts'
import { page } from '../framework/page.ts'
import { SecurityDocument } from '../generated/operations.ts'
import { sessionsPath } from './sessions.tsx'
import { devicesPath } from './trusted-devices.tsx'

/** What the user signs in with and where they are signed in, with a page for each. */
export const security = page({
  path: securityPath,
  title: 'Sign-in and security',
  nav: { section: 'account', label: 'Sign-in and security', icon: 'lock', order: 20 },
  document: SecurityDocument,
  view: ({ viewer: { user, pendingEmail, secondFactor, passkeys, trustedDevices, sessions } }) => (
    <section>
      <ul class="entries topics">
        <Topic path={emailPath} title="Email address">
          <StrongAddress>{user?.email ?? ''}</StrongAddress> {user?.emailVerified ? '(verified)' : '(not verified)'}
          {pendingEmail !== null && '. A new one waits for confirmation.'}
        </Topic>
        <Topic path="/account/password" title="Password">
          Choose a new password.
        </Topic>
        <Topic path={twoFactorPath} title="Two-factor authentication">
          {secondFactor.isOn ? `On, with ${secondFactor.methods.map((method) => methodNames[method]).join(' and ')}.` : 'Off.'}
        </Topic>
        <Topic path={passkeysPath} title="Passkeys">
          {passkeys.length === 0
            ? 'None. Sign in with your fingerprint, face or PIN instead of your password.'
            : `${passkeys.length} added.`}
        </Topic>
        <Topic path={sessionsPath} title="Sessions">
          {sessions.length === 1 ? 'You are signed in in this browser only.' : `You are signed in in ${sessions.length} browsers.`}
        </Topic>
        <Topic path={devicesPath} title="Trusted devices">
          {trustedDevices.length === 0 ? 'None.' : `${trustedDevices.length} where your password alone signs you in.`}
        </Topic>
      </ul>
    </section>
  ),
})

const methodNames = { TOTP: 'an authenticator app', PASSKEY: 'passkeys' } as const

const Topic = ({ path, title, children }: { path: string; title: string; children: ComponentChildren }) => (
  <li>
    <div>
      <a href={path}>{title}</a>
      <p class="hint">{children}</p>
    </div>
  </li>
)
