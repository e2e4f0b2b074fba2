import type { ComponentChildren } from 'preact'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { PasskeyForm } from '../security/passkey-form.tsx'
import { ProviderLinks } from '../providers/provider-links.tsx'
import type { SignInMethod } from './last-method.ts'

interface Provider {
  key: string
  name: string
}

interface SignInMethodsProps {
  /** Returns the form with the email address, and the password if the page requests it. `isUsual` is false if another method is first. */
  password(isUsual: boolean): ComponentChildren
  /** True if the password was refused, so that the page shows its form again. */
  isPasswordRefused: boolean
  /** Providers of the team that verified the domain of the entered address. They are the usual way, and the password is folded. */
  teamProviders: readonly Provider[]
  /** WebAuthn options of a passkey, as JSON. */
  passkeyOptions: string
  /** Address of the page that requests an emailed code; null if this page offers none. */
  codePage: string | null
  publicProviders: readonly Provider[]
  /** The email address that the page shows. If the user entered it on the page before, the code is sent there at once. */
  email: string
  isEntered: boolean
  returnTo: string
  /** The method of the last sign-in in this browser, which is shown first. */
  lastMethod: SignInMethod | null
}

/**
 * The ways to sign in to the entered account. The usual one is first: the provider of a team, or the way that was used last in this
 * browser, or the password. The others follow a separator.
 */
export function SignInMethods({ password, isPasswordRefused, teamProviders, passkeyOptions, codePage, ...rest }: SignInMethodsProps) {
  const { publicProviders, email, isEntered, returnTo } = rest
  const isTeam = teamProviders.length > 0
  const lastMethod = isTeam ? null : rest.lastMethod
  const lastProvider = publicProviders.filter(({ key }) => key === lastMethod)
  const otherProviders = publicProviders.filter(({ key }) => key !== lastMethod)
  const isPasskeyFirst = lastMethod === 'passkey'
  const isCodeFirst = lastMethod === 'code' && codePage !== null
  const hasFirst = isTeam || lastProvider.length > 0 || isCodeFirst
  const code = codePage !== null && <EmailCode email={isEntered ? email : null} codePage={codePage} isUsual={isCodeFirst} />
  // Without scripts there are no passkeys, so the separator belongs to the form of a passkey that is alone on its side.
  const isPasskeyAlone = !hasFirst && code === false && otherProviders.length === 0
  const passkey = (
    <PasskeyForm name="passkey" ceremony="get" options={passkeyOptions} button="Use a passkey" offersAutofill>
      {isPasskeyAlone && !isPasskeyFirst && <Or />}
    </PasskeyForm>
  )
  return (
    <>
      <ProviderLinks providers={teamProviders} returnTo={returnTo} loginHint={email} isUsual hasFocus={!isPasswordRefused} />
      <ProviderLinks providers={lastProvider} returnTo={returnTo} loginHint={email} isUsual hasFocus={false} isLastUsed />
      {isCodeFirst && code}
      {isPasskeyFirst && passkey}
      {hasFirst && !isTeam && <Or />}
      {!isTeam && password(!hasFirst)}
      {(isTeam || (!hasFirst && !isPasskeyAlone)) && <Or />}
      <div class="other-ways">
        {isTeam && (
          <details open={isPasswordRefused}>
            <summary>Use a password</summary>
            {password(false)}
          </details>
        )}
        {!isPasskeyFirst && passkey}
        {!isCodeFirst && code}
        <ProviderLinks providers={otherProviders} returnTo={returnTo} loginHint={email} />
      </div>
    </>
  )
}

const Or = () => <p class="or">or</p>

interface EmailCodeProps {
  email: string | null
  codePage: string
  isUsual: boolean
}

/** Leads to the page that requests the code. With an email address, the code is sent there at once. */
const EmailCode = ({ email, codePage, isUsual }: EmailCodeProps) =>
  email === null ? (
    <Buttons>
      <a class={isUsual ? 'button' : 'button second'} href={codePage}>
        Email me a code
      </a>
    </Buttons>
  ) : (
    <Form name="request-code" hidden={{ email }}>
      <Buttons>
        <Button kind={isUsual ? undefined : 'second'}>Email me a code</Button>
      </Buttons>
    </Form>
  )
