import type { ComponentChildren } from 'preact'
import { Button, Buttons } from '../../web/components/forms/button.tsx'
import { Form } from '../../web/components/forms/form.tsx'
import { PasskeyForm } from '../security/passkey-form.tsx'
import { ProviderLinks } from '../providers/provider-links.tsx'
import type { SignInMethod } from './last-method.ts'

interface SignInMethodsProps {
  /** The form with the email address, and the password if the page requests it. */
  password: ComponentChildren
  /** WebAuthn options of a passkey, as JSON. */
  passkeyOptions: string
  /** Address of the page that requests an emailed code; null if this page offers none. */
  codePage: string | null
  publicProviders: readonly { key: string; name: string }[]
  /** The email address that the page shows. If the user entered it on the page before, the code is sent there at once. */
  email: string
  isEntered: boolean
  returnTo: string
  /** The method of the last sign-in in this browser, which is shown first. */
  lastMethod: SignInMethod | null
}

/** The ways to sign in to the entered account, the one that was used last in this browser first. */
export function SignInMethods({
  password,
  passkeyOptions,
  codePage,
  publicProviders,
  email,
  isEntered,
  returnTo,
  lastMethod,
}: SignInMethodsProps) {
  const lastProvider = publicProviders.filter(({ key }) => key === lastMethod)
  const otherProviders = publicProviders.filter(({ key }) => key !== lastMethod)
  const isPasskeyFirst = lastMethod === 'passkey'
  const code = codePage !== null && <EmailCode email={isEntered ? email : null} codePage={codePage} />
  const isCodeFirst = lastMethod === 'code' && code !== false
  const hasFirst = lastProvider.length > 0 || isCodeFirst
  const passkey = (
    <PasskeyForm name="passkey" ceremony="get" options={passkeyOptions} button="Use a passkey" offersAutofill>
      {/* Without scripts there are no passkeys, so the separator belongs to the form unless another method follows. */}
      {!isPasskeyFirst && !hasFirst && code === false && otherProviders.length === 0 && <Or />}
    </PasskeyForm>
  )
  return (
    <>
      <ProviderLinks providers={lastProvider} returnTo={returnTo} loginHint={email} isUsual hasFocus={false} isLastUsed />
      {isCodeFirst && code}
      {isPasskeyFirst && passkey}
      {hasFirst && <Or />}
      {password}
      {(code !== false || otherProviders.length > 0) && !hasFirst && <Or />}
      {!isPasskeyFirst && passkey}
      {!isCodeFirst && code}
      <ProviderLinks providers={otherProviders} returnTo={returnTo} loginHint={email} />
    </>
  )
}

const Or = () => <p class="or">or</p>

/** Leads to the page that requests the code. With an email address, the code is sent there at once. */
const EmailCode = ({ email, codePage }: { email: string | null; codePage: string }) =>
  email === null ? (
    <Buttons>
      <a class="button second" href={codePage}>
        Email me a code
      </a>
    </Buttons>
  ) : (
    <Form name="request-code" hidden={{ email }}>
      <Buttons>
        <Button kind="second">Email me a code</Button>
      </Buttons>
    </Form>
  )
